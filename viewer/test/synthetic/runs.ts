import type { RunJson, ShapeJson, Triple } from "../../src/data/format";
import { build, still, type ContactRecord, type Mover, type State } from "./builder";
import type { Packing } from "./encode";
import { about } from "./turn";

const G = 9.81;

/** Height and speed of a ball of radius r dropped from z0, restitution e, and the times it lands. */
function bounce(z0: number, r: number, e: number) {
  const first = Math.sqrt((2 * (z0 - r)) / G);
  const landings: { t: number; v: number }[] = [{ t: first, v: G * first }];
  while (landings.length < 30) {
    const { t, v } = landings[landings.length - 1];
    landings.push({ t: t + (2 * e * v) / G, v: e * v });
  }
  const at = (t: number): [number, number] => {
    const last = landings.findLast((l) => l.t <= t);
    if (!last) return [z0 - 0.5 * G * t * t, -G * t];
    if (last.v * e < 0.05) return [r, 0];
    const s = t - last.t;
    return [r + e * last.v * s - 0.5 * G * s * s, e * last.v - G * s];
  };
  return { at, landings: landings.filter((l) => l.v > 0.05) };
}

const FLOOR = still("floor", [{ type: "half_space", normal: [0, 0, 1], offset: 0 }]);

/** Balls that bounce with contacts known in closed form, a sliding box with friction, and a kinematic turntable. */
export function bouncing(label = "bouncing h=0.01", e = 0.7, options: { pose?: Packing; names?: string[]; scene?: string; h?: number } = {}): RunJson {
  const h = options.h ?? 0.01;
  const frames = Math.round(3 / h) + 1;
  const names = options.names ?? ["ball1", "ball2", "box"];
  const paths = [bounce(1.2, 0.15, e), bounce(0.7, 0.1, e)];
  const ball = (i: number, x: number, y: number, vx: number, r: number): Mover => ({
    name: names[i], mass: 1 + i, shapes: [{ type: "sphere", radius: r }],
    at: (t) => {
      const [z, vz] = paths[i].at(t);
      return { position: [x + vx * t, y, z], orientation: about([0, 1, 0], (vx * t) / r), velocity: [vx, 0, vz], angular: [0, vx / r, 0] };
    },
  });
  const mu = 0.3;
  const v0 = 2;
  const stop = v0 / (mu * G);
  const slide: Mover = {
    name: names[2], mass: 2, shapes: [{ type: "box", size: [0.4, 0.25, 0.2] }],
    at: (t) => {
      const s = Math.min(t, stop);
      return { position: [-1 + v0 * s - 0.5 * mu * G * s * s, -0.6, 0.1], orientation: [1, 0, 0, 0], velocity: [Math.max(0, v0 - mu * G * t), 0, 0], angular: [0, 0, 0] };
    },
  };
  const table: Mover = {
    name: "turntable", motion: "kinematic", shapes: [{ type: "cylinder", radius: 0.35, length: 0.06, axis: [0, 0, 1] }],
    at: (t) => ({ position: [0.9, 0.9, 0.03], orientation: about([0, 0, 1], 2 * t), velocity: [0, 0, 0], angular: [0, 0, 2] }),
  };
  const contactsAt = (t: number): ContactRecord[] => {
    const out: ContactRecord[] = [];
    paths.forEach((path, i) => {
      const hit = path.landings.find((l) => l.t > t - h && l.t <= t);
      const [z] = path.at(t);
      const r = i === 0 ? 0.15 : 0.1;
      const at: Triple = [(i === 0 ? -0.5 : 0.4) + (i === 0 ? 0.4 : -0.2) * t, i === 0 ? 0.2 : -0.1, 0];
      if (hit) out.push({ id: i, point: at, normal: [0, 0, 1], gap: -1e-9, impulse: [0.05 * hit.v * (i + 1), 0, (1 + i) * (1 + e) * hit.v], state: 2 });
      else if (z < r + 0.1) out.push({ id: i, point: at, normal: [0, 0, 1], gap: z - r, impulse: [0, 0, 0], state: z - r > 1e-12 ? 0 : 1 });
    });
    const x = slide.at(t).position[0];
    for (const dx of [-0.2, 0.2]) for (const dy of [-0.125, 0.125]) {
      const p = (2 * G * h) / 4;
      out.push({ id: 2, point: [x + dx, -0.6 + dy, 0], normal: [0, 0, 1], gap: 0, impulse: t < stop ? [-mu * p, 0, p] : [0, 0, p], slip: Math.max(0, v0 - mu * G * t), state: t < stop ? 2 : 1 });
    }
    return out;
  };
  const energy = (t: number) => {
    let kinetic = 0;
    let gravity = 0;
    [ball(0, 0, 0, 0.4, 0.15), ball(1, 0, 0, -0.2, 0.1), slide].forEach((m, i) => {
      const s = m.at(t);
      kinetic += 0.5 * [1, 2, 2][i] * s.velocity.reduce((a, v) => a + v * v, 0);
      gravity += [1, 2, 2][i] * G * s.position[2];
    });
    return { kinetic, gravity, springs: 0, total: kinetic + gravity };
  };
  return build({
    label, h, frames, movers: [ball(0, -0.5, 0.2, 0.4, 0.15), ball(1, 0.4, -0.1, -0.2, 0.1), slide, table], fixed: [FLOOR],
    contacts: [{ name: `${names[0]}/floor`, mu: 0.3 }, { name: `${names[1]}/floor`, mu: 0.3 }, { name: `${names[2]}/floor`, mu }],
    contactsAt, energy, residual: (s) => 1e-13 * (1 + (s % 17) ** 3), penetration: (t) => 1e-9 * Math.abs(Math.sin(9 * t)),
    events: [
      ...paths.flatMap((p, i) => p.landings.filter((l) => l.t < 3).map((l) => ({ time: l.t, kind: "impact", contact: `${names[i]}/floor`, step: Math.floor(l.t / h) }))),
      { time: stop, kind: "stick", contact: `${names[2]}/floor`, step: Math.floor(stop / h) },
    ],
    pose: options.pose, scene: options.scene,
  });
}

/** Every solid shape, turning above a floor, inside hollow ones. */
export function shapes(): RunJson {
  const cube: ShapeJson = { type: "hull", points: [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]].map((p) => p.map((x) => 0.25 * x)),
    faces: [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]] };
  const solids: [string, ShapeJson[]][] = [
    ["sphere", [{ type: "sphere", radius: 0.2 }]],
    ["box", [{ type: "box", size: [0.4, 0.3, 0.2] }]],
    ["capsule", [{ type: "capsule", radius: 0.1, length: 0.3, axis: [1, 0, 0] }]],
    ["cylinder", [{ type: "cylinder", radius: 0.15, length: 0.35, axis: [0, 0, 1] }]],
    ["cone", [{ type: "cone", radius: 0.2, height: 0.4, axis: [0, 0, 1] }]],
    ["ellipsoid", [{ type: "ellipsoid", radii: [0.28, 0.18, 0.12] }]],
    ["hull", [cube]],
    ["disc", [{ type: "disc", radius: 0.2 }]],
    ["polygon", [{ type: "polygon", points: [[0.2, 0], [0, 0.2], [-0.2, 0], [0, -0.2]] }]],
    ["dumbbell", [{ type: "sphere", radius: 0.12, position: [-0.2, 0, 0] }, { type: "sphere", radius: 0.12, position: [0.2, 0, 0] },
      { type: "capsule", radius: 0.04, length: 0.4, axis: [1, 0, 0] }]],
    ["mystery", [{ type: "shape of the future", radius: 1 }]],
  ];
  const movers: Mover[] = solids.map(([name, list], i) => ({
    name, shapes: list,
    at: (t): State => ({ position: [(i % 4) * 0.7 - 1.05, Math.floor(i / 4) * 0.7 - 0.7, 0.35], orientation: about([0.3, 0.2, 1], t + i),
      velocity: [0, 0, 0], angular: [0.28, 0.19, 0.94] }),
  }));
  return build({ label: "shapes", h: 0.02, frames: 101, movers, fixed: [FLOOR,
    still("pipe", [{ type: "hollow_cylinder", radius: 0.6, axis: [0, 1, 0] }], [2.6, 0, 0.6]),
    still("bowl", [{ type: "hollow_sphere", radius: 0.5 }], [-2.4, 0, 0.5]),
    still("wall", [{ type: "half_space", normal: [0, -1, 0], offset: -2 }]) ] });
}

/** A pendulum on a pin and a disc rolling down a slope, in the plane. */
export function planar(label = "planar", amplitude = 0.6, grades?: number[], uncertified: number[] = [20]): RunJson {
  const l = 0.8;
  const w = Math.sqrt(G / l);
  const slope = 0.25;
  const pendulum: Mover = {
    name: "rod", mass: 1, shapes: [{ type: "capsule", radius: 0.03, length: l, axis: [0, 1, 0] }],
    at: (t) => {
      const a = amplitude * Math.cos(w * t);
      const rate = -amplitude * w * Math.sin(w * t);
      return { position: [-0.4 + (l / 2) * Math.sin(a), 1.2 - (l / 2) * Math.cos(a), 0], orientation: about([0, 0, 1], a),
        velocity: [(l / 2) * rate * Math.cos(a), (l / 2) * rate * Math.sin(a), 0], angular: [0, 0, rate] };
    },
  };
  const rolling: Mover = {
    name: "disc", mass: 0.5, shapes: [{ type: "disc", radius: 0.15 }],
    at: (t) => {
      const s = (G * Math.sin(slope) * t * t) / 3;
      const v = (2 * G * Math.sin(slope) * t) / 3;
      const c = [Math.cos(slope), -Math.sin(slope)];
      return { position: [-0.9 + s * c[0] + 0.15 * Math.sin(slope), 0.35 + s * c[1] + 0.15 * Math.cos(slope), 0], orientation: about([0, 0, 1], -s / 0.15),
        velocity: [v * c[0], v * c[1], 0], angular: [0, 0, -v / 0.15] };
    },
  };
  const block: Mover = {
    name: "wedge", motion: "kinematic", shapes: [{ type: "polygon", points: [[-0.2, 0], [0.2, 0], [0.2, 0.25]] }],
    at: (t) => ({ position: [0.6 + 0.1 * Math.sin(3 * t), 0.6, 0], orientation: [1, 0, 0, 0], velocity: [0.3 * Math.cos(3 * t), 0, 0], angular: [0, 0, 0] }),
  };
  const n: Triple = [Math.sin(slope), Math.cos(slope), 0];
  const tangent = [Math.cos(slope), -Math.sin(slope)];
  return build({
    label, h: 0.005, frames: 201, planar: true, gravity: [0, -G, 0], movers: [pendulum, rolling, block],
    fixed: [still("slope", [{ type: "half_space", normal: n, offset: -0.9 * n[0] + 0.35 * n[1] }]),
      still("ring", [{ type: "hollow_cylinder", radius: 0.25, axis: [0, 0, 1] }], [0.9, 1.15, 0]),
      still("block", [{ type: "box", size: [0.2, 0.1, 0.1] }], [-0.4, 1.25, 0])],
    contacts: [{ name: "disc/slope", mu: 0.4 }],
    contactsAt: (t) => {
      const p = rolling.at(t).position;
      const pn = 0.5 * G * Math.cos(slope) * 0.005;
      const pt = (0.5 * G * Math.sin(slope) * 0.005) / 3;
      return [{ id: 0, point: [p[0] - 0.15 * n[0], p[1] - 0.15 * n[1], 0], normal: n, gap: 0,
        impulse: [pn * n[0] - pt * tangent[0], pn * n[1] - pt * tangent[1], 0], state: 1 }];
    },
    joints: [{ name: "pin", type: "revolute", bodies: ["block", "rod"], at: (t) => ({ force: [2 * Math.sin(w * t), 9.81 + 3 * Math.cos(w * t) ** 2, 0], torque: [0, 0, 0.2], point: [-0.4, 1.2, 0] }) }],
    energy: (t) => ({ kinetic: 1 + Math.sin(t), gravity: 2 - Math.sin(t), total: 3 + 1e-6 * t }),
    uncertified, grades, residual: (s) => (s === 20 ? 1e-3 : 1e-14),
  });
}

/** One of each thing that is drawn between bodies: a rope that is slack at first and taut from t = 1 on, closed without friction. */
export function mechanism(flat = false): RunJson {
  const drop = (t: number) => Math.min(0.5 + 0.5 * t, 1);
  const at = (x: number, z: (t: number) => number): Mover["at"] => (t) => ({ position: flat ? [x, z(t), 0] : [x, 0, z(t)], orientation: [1, 0, 0, 0], velocity: [0, 0, 0], angular: [1.75918e-15, -7.89752e-12, 6.15387e-13] });
  const swing = (t: number) => -1 + 0.2 * Math.sin(5 * t);
  const down: Triple = flat ? [0, -1, 0] : [0, 0, -1];
  const place = (x: number, z: number): Triple => (flat ? [x, z, 0] : [x, 0, z]);
  const none = (point: Triple) => () => ({ force: [0, 0, 0] as Triple, torque: [0, 0, 0] as Triple, point });
  const joint = (name: string, type: string, body: string, x: number, more: object = {}) => ({ name, type, bodies: ["", body], anchors: [place(x, 0), [0, 0, 0] as Triple], ...more, at: none(place(x, 0)) });
  const ball = (r: number): ShapeJson[] => [{ type: flat ? "disc" : "sphere", radius: r }];
  return build({
    label: "mechanism", h: 0.02, frames: 101, planar: flat, gravity: flat ? [0, -G, 0] : [0, 0, -G],
    movers: [{ name: "roped", shapes: ball(0.08), at: at(0, (t) => -drop(t)) }, { name: "sprung", shapes: ball(0.08), at: at(0.5, swing) }, { name: "damped", shapes: [], at: at(1, swing) },
      { name: "sliding", shapes: ball(0.08), at: at(1.5, swing) }, { name: "welded", shapes: ball(0.08), at: at(2, () => 0) }],
    contacts: [{ name: "joint 'rope' taut", mu: 0 }],
    contactsAt: (t) => (t < 1 ? [{ id: 0, point: place(0, -drop(t)), normal: down, gap: 1 - drop(t), impulse: [0, 0, 0], state: 0 }]
      : [{ id: 0, point: place(0, -1), normal: down.map((x) => -x) as Triple, gap: 0, impulse: down.map((x) => -0.2 * x) as Triple, state: 2 }]),
    joints: [joint("rope", "rope", "roped", 0, { length: 1 }), joint("guide", "prismatic", "sliding", 1.5, { axis: down }), joint("weld", "fixed", "welded", 2)],
    springs: [{ name: "spring", bodies: ["", "sprung"], anchors: [place(0.5, 0), [0, 0, 0]], stiffness: 20, damping: 0, length: 0.8 },
      { name: "damper", bodies: ["", "damped"], anchors: [place(1, 0), [0, 0, 0]], stiffness: 20, damping: 2, length: 0.8 }],
    events: [{ time: 1.5, kind: "break", contact: "weld" }],
  });
}

/** A body without a shape that stays where it is. */
export function point(): RunJson {
  return build({ label: "point", h: 0.1, frames: 3, gravity: [0, 0, 0], movers: [{ name: "body", shapes: [], at: (t) => ({ position: [0, 0, 0], orientation: about([0, 0, 1], t), velocity: [0, 0, 0], angular: [0, 0, 1] }) }] });
}

/** n spheres of two sizes falling in a box, quantised and with differences as a large run is. */
export function crowd(n: number, frames = 31): RunJson {
  const side = Math.ceil(Math.cbrt(n));
  const movers: Mover[] = Array.from({ length: n }, (_, i) => {
    const cell: Triple = [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)];
    const phase = (i * 0.618) % 1;
    return {
      name: `grain${i}`, shapes: [{ type: "sphere", radius: i % 3 === 0 ? 0.045 : 0.035 }],
      at: (t): State => ({ position: [0.1 * cell[0] + 0.02 * Math.sin(6 * t + 6 * phase), 0.1 * cell[1], 0.06 + 0.1 * cell[2] * (1 + 0.1 * Math.cos(4 * t + phase))],
        orientation: about([1, phase, 0], 5 * t), velocity: [0, 0, 0], angular: [0, 0, 0] }),
    };
  });
  return build({ label: `${n} spheres`, h: 1 / 30, frames, movers, fixed: [FLOOR], pose: { type: "i16", quantise: "one", delta: true, shuffle: true } });
}
