import { describe, expect, it } from "vitest";
import { Run } from "../../src/data/run";
import { momentAt, samplePose, sampleVector } from "../../src/data/sample";
import { lastAtOrBefore, nearest } from "../../src/data/search";
import { checkPage } from "../../src/data/validate";
import { verdictOf } from "../../src/ui/header";
import { encode } from "../synthetic/encode";
import { bouncing, planar } from "../synthetic/runs";

const box = (run: Run) => run.bodies.find((b) => b.name === "box")!;

describe("a run", () => {
  it("gives poses at frames as written and straight lines between", async () => {
    const run = await Run.from(bouncing());
    const out = new Float64Array(7);
    const slide = (t: number) => -1 + 2 * t - 0.5 * 0.3 * 9.81 * t * t;
    samplePose(run, box(run), momentAt(run, run.time[20]), out);
    expect(out[0]).toBe(slide(run.time[20]));
    samplePose(run, box(run), momentAt(run, 0.205), out);
    expect(out[0]).toBeCloseTo((slide(0.2) + slide(0.21)) / 2, 12);
    expect(sampleVector(run, "velocity", box(run), momentAt(run, 0.1))![0]).toBeCloseTo(2 - 0.3 * 9.81 * 0.1, 6);
    expect(run.up).toEqual([0, 0, 1]);
    samplePose(run, run.bodies[0], momentAt(run, 0.2), out);
    expect([...out]).toEqual([0, 0, 0, 1, 0, 0, 0]);
  });
  it("takes the shorter arc between orientations of opposite sign", async () => {
    const json = bouncing();
    json.arrays.orientation = encode(Array.from({ length: 301 }, (_, f) => Array.from({ length: 4 }, () => [f % 2 ? -1 : 1, 0, 0, 0])).flat(2), [301, 4, 4]);
    const run = await Run.from(json);
    const out = new Float64Array(7);
    samplePose(run, box(run), { frame: 0, fraction: 0.5 }, out);
    expect([...out.slice(3)]).toEqual([1, 0, 0, 0]);
  });
  it("knows its contacts, the deepest of them and the steps", async () => {
    const run = await Run.from(bouncing());
    const contacts = run.contacts.ofFrame(50);
    const slip = contacts.find((c) => c.name === "box/floor")!;
    expect(slip.state).toBe(2);
    expect(slip.normalImpulse).toBeCloseTo((2 * 9.81 * 0.01) / 4, 7);
    expect(slip.tangentImpulse).toBeCloseTo(0.3 * slip.normalImpulse, 7);
    const deepest = run.contacts.deepest()!;
    expect(deepest.gap).toBe(-1e-9);
    const [from, to] = run.contacts.range(run.contacts.frameOf(deepest.record));
    expect(deepest.record >= from && deepest.record < to).toBe(true);
    expect(run.steps.at(0.5)!.time).toBeCloseTo(0.5, 12);
    expect(run.steps.at(0.504)!.time).toBeCloseTo(0.51, 12);
  });
  it("counts steps without a certificate and finds the worst", async () => {
    const run = await Run.from(planar());
    expect(run.steps.uncertified()).toBe(1);
    expect(run.steps.worst()!.index).toBe(20);
    expect(run.up).toEqual([0, 1, 0]);
  });
  it("counts steps of each grade below full, and none where the file has no grades", async () => {
    const graded = await Run.from(planar("planar", 0.6, [0, 1, 2, 2, 7]));
    expect(graded.steps.weaker()).toEqual([["polyhedral", 1], ["linear", 2], ["failed", 1]]);
    expect(graded.steps.get(1).grade).toBe("polyhedral");
    expect(graded.steps.get(0).grade).toBe("full");
    const old = await Run.from(planar());
    expect(old.steps.weaker()).toEqual([]);
    expect(old.steps.get(0).grade).toBe(null);
  });
  it("says in amber what is certified and not full, and what is loose", async () => {
    const weaker = verdictOf(await Run.from(planar("planar", 0.6, [1, 2, 2], [])));
    expect(weaker.kind).toBe("fair");
    expect(weaker.text).toContain("1 polyhedral, 2 linear");
    expect(verdictOf(await Run.from(planar("planar", 0.6, [], []))).kind).toBe("good");
    const loose = verdictOf(await Run.from(planar("planar", 0.6, undefined, [20])));
    expect(loose.kind).toBe("bad");
    const grades = new Array(21).fill(0);
    grades[20] = 6;
    expect(verdictOf(await Run.from(planar("planar", 0.6, grades, [20]))).kind).toBe("fair");
    grades[20] = 7;
    expect(verdictOf(await Run.from(planar("planar", 0.6, grades, [20]))).kind).toBe("bad");
  });
  it("grows by later frames; what it has already is left out", async () => {
    const whole = await Run.from(bouncing());
    const head = bouncing();
    const tail = bouncing();
    const cut = async (json: typeof head, from: number, to: number) => {
      const run = await Run.from(json);
      const [c0] = run.contacts.range(from);
      const c1 = to === 301 ? run.contacts.records : run.contacts.range(to)[0];
      const starts = Array.from({ length: to - from + 1 }, (_, i) => (from + i === 301 ? run.contacts.records : run.contacts.range(from + i)[0]) - c0);
      for (const [name, field] of run.fields) {
        let [a, b] = name.startsWith("step.") ? [Math.max(from - 1, 0), to - 1] : name.startsWith("contact.") ? [c0, c1] : [from, to];
        if (name.startsWith("not.")) continue;
        const values = Array.from({ length: (b - a) * field.width }, (_, i) => field.at(a * field.width + i));
        json.arrays[name] = encode(values, field.width > 1 ? [b - a, field.width] : [b - a]);
      }
      json.arrays["contact.start"] = encode(starts, [starts.length]);
      json.events = json.events!.filter((e) => e.time <= run.time[to - 1]);
      return json;
    };
    const run = await Run.from(await cut(head, 0, 120));
    await run.append(await cut(tail, 110, 301));
    expect([...run.time]).toEqual([...whole.time]);
    expect(run.steps.count).toBe(whole.steps.count);
    expect(run.events).toEqual(whole.events);
    for (const frame of [0, 119, 120, 200, 300]) expect(run.contacts.ofFrame(frame)).toEqual(whole.contacts.ofFrame(frame));
    const a = new Float64Array(7);
    const b = new Float64Array(7);
    for (const t of [0.5, 1.195, 2.5]) {
      samplePose(run, box(run), momentAt(run, t), a);
      samplePose(whole, box(whole), momentAt(whole, t), b);
      expect([...a]).toEqual([...b]);
    }
  });
  it("says what is missing", async () => {
    expect(() => checkPage({ format: 2 })).toThrow(/format 2/);
    expect(() => checkPage({ format: 1, runs: [] })).toThrow(/no run/);
    expect(() => checkPage({ format: 1, runs: [{ bodies: [], arrays: { time: {} } }] })).toThrow(/run 1 has no array "position"/);
    const json = bouncing();
    json.arrays.position = encode([1, 2, 3], [1, 1, 3]);
    await expect(Run.from(json)).rejects.toThrow(/"position" has 1 frames/);
  });
});

describe("search", () => {
  it("last at or before, nearest", () => {
    expect([-1, 0, 0.5, 3, 9].map((x) => lastAtOrBefore([0, 1, 3], x))).toEqual([-1, 0, 0, 2, 2]);
    expect([-1, 0.4, 0.6, 9].map((x) => nearest([0, 1, 3], x))).toEqual([0, 0, 1, 2]);
    expect(nearest([], 1)).toBe(-1);
  });
});
