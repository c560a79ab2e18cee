import { describe, expect, it } from "vitest";
import { decodeArray } from "../../src/data/decode";
import type { ElementType } from "../../src/data/format";
import { encode } from "../synthetic/encode";

const WHOLE: ElementType[] = ["i32", "u32", "i16", "u16", "u8"];
const values = Array.from({ length: 5 * 4 * 3 }, (_, i) => Math.round(100 + 90 * Math.sin(i)));
const shape = [5, 4, 3];

describe("arrays", () => {
  for (const type of ["f64", "f32", ...WHOLE] as ElementType[]) for (const shuffle of [false, true]) {
    it(`${type}${shuffle ? " shuffled" : ""}: exact`, async () => {
      const field = await decodeArray("x", encode(values, shape, { type, shuffle }));
      expect(values.map((_, i) => field.at(i))).toEqual(values);
      expect([...field.row(2)]).toEqual(values.slice(24, 36));
      expect([...field.column(7)]).toEqual([0, 1, 2, 3, 4].map((r) => values[12 * r + 7]));
    });
  }
  for (const type of WHOLE) for (const shuffle of [false, true]) for (const delta of [false, true]) for (const quantise of ["last", "one"] as const) {
    it(`${type} quantised by ${quantise}${delta ? ", differences" : ""}${shuffle ? ", shuffled" : ""}: to half a step`, async () => {
      const real = values.map((x, i) => x * 0.01 + (i % 3));
      const json = encode(real, shape, { type, quantise, delta, shuffle });
      const field = await decodeArray("x", json);
      const out = new Float64Array(real.length);
      field.read(0, real.length, out);
      real.forEach((x, i) => {
        const half = 0.5 * json.scale![i % json.scale!.length] * (1 + 1e-6) + 1e-12;
        expect(Math.abs(field.at(i) - x)).toBeLessThanOrEqual(half);
        expect(out[i]).toBe(field.at(i));
      });
    });
  }
  it("differences wrap", async () => {
    const field = await decodeArray("x", encode([250, 5, 250], [3], { type: "u8", delta: true }));
    expect([...field.column()]).toEqual([250, 5, 250]);
  });
  it("no rows", async () => {
    expect((await decodeArray("x", encode([], [0, 3], { type: "f32", shuffle: true }))).rows).toBe(0);
  });
});

describe("what is wrong is named", () => {
  const good = () => encode(values, shape, { type: "f32" });
  const cases: [string, object, RegExp][] = [
    ["element type", { type: "f16" }, /array "x".*f16/],
    ["shape", { shape: [5, -4, 3] }, /not a list of sizes/],
    ["size", { shape: [5, 4, 4] }, /320/],
    ["base64", { data: "ab*d" }, /foreign character at 2/],
    ["length of base64", { data: "abc" }, /multiple of four/],
    ["deflate", { data: "AAAAAAAA" }, /array "x"/],
    ["scale", { scale: [1, 2] }, /"scale" has 2 numbers/],
    ["delta of reals", { delta: true }, /integer/],
  ];
  for (const [what, change, message] of cases) {
    it(what, async () => {
      await expect(decodeArray("x", { ...good(), ...change } as never)).rejects.toThrow(message);
    });
  }
});

describe("append", () => {
  it("alike stays quantised, otherwise becomes plain", async () => {
    const a = await decodeArray("x", encode([1, 2, 3, 4], [2, 2], { type: "i16" }));
    a.append(await decodeArray("x", encode([5, 6, 7, 8], [2, 2], { type: "i16" })), 1);
    expect([...a.column(0)]).toEqual([1, 3, 7]);
    a.append(await decodeArray("x", encode([0.5, 1.5], [1, 2], { type: "f32" })));
    expect([...a.column(1)]).toEqual([2, 4, 8, 1.5]);
    a.append(await decodeArray("x", encode([9, 10], [1, 2], { type: "u8" })));
    expect([...a.column(0)]).toEqual([1, 3, 7, 0.5, 9]);
  });
});
