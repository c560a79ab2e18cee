import { describe, expect, it } from "vitest";
import { wishesOf } from "../../src/address";
import { Run } from "../../src/data/run";
import { distances, pairsOf } from "../../src/plots/difference";
import { fileName } from "../../src/plots/download";
import { bodyValues } from "../../src/plots/series";
import { room } from "../../src/plots/scale";
import { csvOf, joined } from "../../src/plots/table";
import { convexHull } from "../../src/scene/flats";
import { niceStep } from "../../src/scene/grid_material";
import { digits, metres, seconds, vector } from "../../src/ui/numbers";
import { bouncing, planar } from "../synthetic/runs";

const series = (label: string, time: number[], values: number[]) => ({ label, time: Float64Array.from(time), values: Float64Array.from(values), color: "var-1" });

describe("tables of plots", () => {
  const chart = { title: "T", unit: "J", series: [series("a", [0, 1, 2], [1, 0, 3]), series("=b,\"", [0.5, 2], [5, 6])] };
  it("join different times with holes", () => {
    const { x, columns } = joined(chart);
    expect([...x]).toEqual([0, 0.5, 1, 2]);
    expect(columns).toEqual([[1, null, 0, 3], [null, 5, null, 6]]);
  });
  it("leave out of a log plot what has no logarithm, and not out of the file", () => {
    expect(joined({ ...chart, log: true }).columns[0]).toEqual([1, null, null, 3]);
    expect(csvOf({ ...chart, log: true })).toBe("time [s],a [J],\"'=b,\"\" [J]\"\n0,1,\n0.5,,5\n1,0,\n2,3,6\n");
  });
});

describe("series", () => {
  it("a turn about z goes on past half a turn", async () => {
    const run = await Run.from(planar());
    const disc = run.bodies.find((b) => b.name === "disc")!;
    const angle = bodyValues(run, disc, "turn about z")!;
    const rolled = (9.81 * Math.sin(0.25) * run.time[200] ** 2) / 3 / 0.15;
    expect(rolled).toBeGreaterThan(Math.PI);
    expect(angle[200]).toBeCloseTo(-rolled, 9);
  });
  it("distances between two runs, of those bodies that both have", async () => {
    const a = await Run.from(bouncing("a", 0.7));
    const b = await Run.from(bouncing("b", 0.5, { names: ["ball1", "other", "box"] }));
    expect(pairsOf(a, b, null).map(([x]) => x.name)).toEqual(["ball1", "box", "turntable"]);
    const { time, values } = distances(a, b, pairsOf(a, b, "ball1"));
    const t1 = Math.sqrt((2 * 1.05) / 9.81);
    expect(values[20]).toBe(0);
    expect(values[60]).toBeCloseTo(0.2 * 9.81 * t1 * (time[60] - t1), 12);
    expect(Math.max(...distances(a, b, pairsOf(a, b, "box")).values)).toBe(0);
  });
});

describe("texts", () => {
  it("numbers", () => {
    expect([0, 1, -0.5, 1234567, 1e-9, -2.5e-7, NaN, Infinity, null].map((x) => digits(x))).toEqual(["0", "1", "-0.5", "1.23457e6", "1e-9", "-2.5e-7", "–", "∞", "–"]);
    expect([1500, 2, 0.02, 2e-5, 0].map((x) => metres(x))).toEqual(["1.5 km", "2 m", "20 mm", "20 µm", "0"]);
    expect([0.05, 0.1, 0.15].map((x) => metres(x, 0.05))).toEqual(["50 mm", "100 mm", "150 mm"]);
    expect(vector([1e-17, 1, -2e-3])).toBe("0  1  -0.002");
    expect(vector([0, 0, 0])).toBe("0  0  0");
    expect(vector([1e-17, -1e-17, 0])).toBe("1e-17  -1e-17  0");
    expect(seconds(1.23456, 0.005)).toBe("1.2346");
    expect([0.14, 1, 3, 8, 0, Infinity].map(niceStep)).toEqual([0.1, 1, 2, 10, 1, 1]);
    expect(fileName("../Ball <1> [m]", "csv")).toBe("ball_1_m.csv");
  });
  it("what the address asks for", () => {
    expect(wishesOf({ search: "?render=1&theme=dark", hash: "#t=1.5&layers=contacts,trails" })).toMatchObject({ t: 1.5, render: true, theme: "dark", layers: ["contacts", "trails"] });
    expect(wishesOf({ search: "", hash: "#render" })).toMatchObject({ t: null, render: true });
    expect(wishesOf({ search: "?theme=pink", hash: "#t=soon" })).toMatchObject({ t: null, render: false, theme: null });
  });
});

it("the scale of a plot: what is constant but for rounding is constant", () => {
  expect(room(0, 10)).toEqual([0, 10.6]);
  const [low, high] = room(0.25, 0.25 + 1e-16);
  expect(low).toBeCloseTo(0.225, 12);
  expect(high).toBeCloseTo(0.275, 12);
  expect(room(1e-51, 3e-51)).toEqual([-1, 1]);
  expect(room(null, null)).toEqual([0, 1]);
});

it("the silhouette of points", () => {
  expect(convexHull([[0, 0], [1, 0], [0.5, 0.2], [1, 1], [0, 1], [0.5, 0]])).toEqual([[0, 0], [1, 0], [1, 1], [0, 1]]);
});
