import { BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments, Matrix4, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import type { Body, Run } from "../data/run";
import { type Moment, sampleVector, samplePose } from "../data/sample";
import { Arrows, Swarm } from "./arrows";
import type { Palette } from "./palette";

export interface Reaction {
  name: string;
  type: string;
  point: Vector3;
  force: Vector3;
  torque: Vector3;
}

export function bodyOf(run: Run, which: string | number | null | undefined): Body | null {
  if (which === null || which === undefined) return null;
  return (typeof which === "number" ? run.bodies[which] : run.bodies.find((b) => b.name === which)) ?? null;
}

export function reactionsAt(run: Run, frame: number): Reaction[] {
  const read = (name: string, j: number) => {
    const field = run.field(name);
    const at = field ? frame * field.width + 3 * j : 0;
    return field ? new Vector3(field.at(at), field.at(at + 1), field.at(at + 2)) : new Vector3();
  };
  return run.joints.map((joint, j) => ({
    name: joint.name, type: joint.type, point: read("joint.point", j), force: read("joint.force", j), torque: read("joint.torque", j),
  }));
}

/** Thin links from a joint to its bodies' centres, and what the joint does to them. */
export class JointLayer {
  readonly group = new Group();
  private lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private dots: Swarm;
  private forces: Arrows;
  private pairs: (Body | null)[][];

  constructor(private run: Run, private flat: boolean) {
    this.pairs = run.joints.map((j) => j.bodies.map((b) => bodyOf(run, b)));
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(12 * run.joints.length), 3));
    this.lines = new LineSegments(geometry, new LineBasicMaterial({ depthTest: false, transparent: true }));
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 2;
    this.dots = new Swarm(this.group, new SphereGeometry(1, 14, 8), new MeshBasicMaterial({ depthTest: false, transparent: true }), 3);
    this.forces = new Arrows(this.group, 4);
    this.group.add(this.lines);
  }

  update(moment: Moment, frame: number, palette: Palette, unit: number, reactions: boolean, perNewton: number, most: number): void {
    const here = reactionsAt(this.run, frame);
    const at = this.lines.geometry.getAttribute("position") as BufferAttribute;
    const pose = new Float64Array(7);
    const color = new Color(palette.joint);
    this.lines.material.color.set(palette.lineStrong);
    this.dots.begin();
    this.forces.begin();
    here.forEach((reaction, j) => {
      const point = this.run.field("joint.point") ? reaction.point : null;
      const ends = this.pairs[j].map((body) => {
        if (!body || body.row === null) return null;
        samplePose(this.run, body, moment, pose);
        return new Vector3(pose[0], pose[1], this.flat ? 2.5 : pose[2]);
      });
      if (point && this.flat) point.z = 2.5;
      const middle = point ?? ends.find((e) => e !== null) ?? new Vector3();
      [0, 1].forEach((k) => {
        middle.toArray(at.array as Float32Array, 12 * j + 6 * k);
        (ends[k] ?? middle).toArray(at.array as Float32Array, 12 * j + 6 * k + 3);
      });
      this.dots.add(new Matrix4().makeScale(unit * 0.8, unit * 0.8, unit * 0.8).setPosition(middle), color);
      if (!reactions) return;
      for (const [vector, thick] of [[reaction.force, 0.42], [reaction.torque, 0.22]] as const) {
        if (this.flat && thick < 0.3) continue;
        const size = vector.length();
        const scale = size > 0 ? Math.min(perNewton, most / size) : 0;
        this.forces.add(middle, vector.clone().multiplyScalar(scale), thick * unit, color);
      }
    });
    at.needsUpdate = true;
    this.lines.visible = here.length > 0;
    this.dots.end();
    this.forces.end();
  }
}

/** Arrows of the bodies' velocities. */
export class VelocityLayer {
  readonly group = new Group();
  private arrows = new Arrows(this.group, 3);

  constructor(private run: Run, private flat: boolean) {}

  update(moment: Moment, palette: Palette, unit: number, perSpeed: number, hidden: Set<number>): void {
    const color = new Color(palette.velocity);
    const pose = new Float64Array(7);
    this.arrows.begin();
    for (const body of this.run.bodies) {
      if (hidden.has(body.id)) continue;
      const v = sampleVector(this.run, "velocity", body, moment);
      if (!v) continue;
      samplePose(this.run, body, moment, pose);
      this.arrows.add(new Vector3(pose[0], pose[1], this.flat ? 2.6 : pose[2]), new Vector3(v[0], v[1], this.flat ? 0 : v[2]).multiplyScalar(perSpeed), 0.3 * unit, color);
    }
    this.arrows.end();
  }
}
