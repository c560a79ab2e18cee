import { Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Run } from "../../src/data/run";
import { tellingQuantity, valueAt } from "../../src/plots/series";
import { floorOf, joined } from "../../src/plots/table";
import { boundsOf } from "../../src/scene/bounds";
import { coil, hanging, zigzag } from "../../src/scene/curves";
import { endsOf, linksOf, springLinksOf } from "../../src/scene/links";
import { turnOf } from "../../src/ui/body_card";
import { wordsOf } from "../../src/ui/contact_card";
import { mechanism, planar, point } from "../synthetic/runs";

const length = (points: Vector3[]) => points.slice(1).reduce((sum, p, i) => sum + p.distanceTo(points[i]), 0);
const up = new Vector3(0, 0, 1);

describe("what is drawn between two points", () => {
  const a = new Vector3(0.1, -0.2, 3);
  const b = new Vector3(0.4, 0.3, 2.1);
  it("springs end where they are held and stay within their width", () => {
    for (const draw of [coil, zigzag]) for (const to of [b, new Vector3(2, 0, 3), new Vector3(0.1, 1, 3)]) {
      const points = draw(a, to, 0.05);
      expect(points[0]).toEqual(a);
      expect(points[points.length - 1]).toEqual(to);
      const [u, v] = draw === zigzag ? [a.clone().setZ(0), to.clone().setZ(0)] : [a, to];
      const way = v.clone().sub(u).normalize();
      for (const p of points.slice(1, -1)) {
        const at = draw === zigzag ? p.clone().setZ(0) : p;
        expect(at.clone().sub(u).cross(way).length()).toBeLessThan(0.05 + 1e-12);
      }
    }
    expect(coil(a, a, 0.05)).toEqual([]);
  });
  it("a string that is taut is straight, a slack one is as long as it is", () => {
    expect(hanging(a, b, a.distanceTo(b), up)).toEqual([a, b]);
    for (const share of [1.01, 1.1, 1.5, 3, 10]) {
      const whole = share * a.distanceTo(b);
      expect(Math.abs(length(hanging(a, b, whole, up)) / whole - 1)).toBeLessThan(1e-6);
    }
    const low = hanging(new Vector3(0, 0, 0), new Vector3(1e-9, 0, 0), 1, up);
    expect(Math.min(...low.map((p) => p.z))).toBeCloseTo(-0.5, 6);
  });
});

describe("links", () => {
  it("hold their bodies at the anchors of each body's frame", async () => {
    const run = await Run.from(mechanism());
    const [partner, body] = endsOf(run, springLinksOf(run)[0], { frame: 50, fraction: 0 });
    expect(partner.anchor!.toArray()).toEqual([0.5, 0, 0]);
    expect(partner.center).toBeNull();
    expect(body.anchor!.z).toBeCloseTo(-1 + 0.2 * Math.sin(5), 12);
    expect(linksOf(run).map((l) => l.bodies[1]?.name)).toEqual(["roped", "sliding", "welded"]);
    expect(boundsOf(run).max.z).toBeGreaterThanOrEqual(0); // where they hang
  });
  it("a contact without friction is closed or open, and words say what the numbers do", async () => {
    const run = await Run.from(mechanism());
    expect(run.contacts.ofFrame(80)[0].state).toBe(3);
    expect(run.contacts.ofFrame(10)[0].state).toBe(0);
    expect(wordsOf(run.contacts.ofFrame(80)[0])).toMatch(/^Closed, without friction/);
    expect(wordsOf(run.contacts.ofFrame(10)[0])).toBe("Open: 0.4 m apart.");
    const one = { ...run.contacts.ofFrame(80)[0], mu: 0.5, normalImpulse: 2, tangentImpulse: 0.25 };
    expect(wordsOf({ ...one, state: 1, gap: -2e-6 })).toBe("Sticks: friction holds it, with 25 % of what it could do. It is 2 µm deep.");
    expect(wordsOf({ ...one, state: 2, slipSpeed: 0.125 })).toBe("Slips at 0.125 m/s: friction is at its limit, μ times the normal impulse.");
    expect(wordsOf({ ...one, state: 0 })).toBe("Open again: it touched within the step.");
    expect(wordsOf({ ...one, state: 0, normalImpulse: 0 })).toBe("Open: it touches, but nothing pushes.");
  });
});

it("how far a body is turned, and about what", () => {
  const half = Math.PI / 8;
  for (const sign of [1, -1]) {
    const { angle, axis } = turnOf([Math.cos(half), 0, 0.6 * Math.sin(half), 0.8 * Math.sin(half)].map((x) => sign * x));
    expect(angle).toBeCloseTo(Math.PI / 4, 14);
    expect(axis[1]).toBeCloseTo(0.6, 14);
    expect(axis[2]).toBeCloseTo(0.8, 14);
  }
  expect(turnOf([1, 0, 0, 0])).toEqual({ angle: 0, axis: [0, 0, 0] });
});

describe("plots", () => {
  it("between frames a body's value is on the line", () => {
    const time = Float64Array.of(0, 1, 3);
    const values = Float64Array.of(0, 2, 4);
    expect([-1, 0, 0.25, 1, 2, 3, 9].map((t) => valueAt(time, values, t))).toEqual([0, 0, 0.5, 2, 3, 4, 4]);
    expect(valueAt(new Float64Array(0), new Float64Array(0), 1)).toBeUndefined();
  });
  it("the first coordinate shown is one that changes", async () => {
    const run = await Run.from(mechanism());
    expect(tellingQuantity(run, run.bodies.find((b) => b.name === "sprung"), "z")).toBe("z");
    expect(tellingQuantity(run, run.bodies.find((b) => b.name === "sprung"), "x")).toBe("z");
    const flat = await Run.from(planar());
    expect(tellingQuantity(flat, flat.bodies.find((b) => b.name === "wedge"), "y")).toBe("x");
    const one = await Run.from(point());
    expect(tellingQuantity(one, one.bodies[0], "z")).toBe("z");
  });
  it("residuals that are rounding lie on the floor of a log plot", () => {
    const series = [{ label: "a", color: "var-1", time: Float64Array.of(0, 1, 2, 3), values: Float64Array.of(1e-12, 1e-30, 0, 1e-14) }];
    expect(floorOf(series)).toBeCloseTo(1e-19, 25);
    expect(joined({ title: "", unit: "", log: true, series }).columns[0]).toEqual([1e-12, floorOf(series), null, 1e-14]);
    expect(floorOf([{ ...series[0], values: Float64Array.of(1e-40, 0, 0, 0) }])).toBeNull();
  });
});
