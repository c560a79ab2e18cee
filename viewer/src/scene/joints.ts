import { Color, Group, Matrix4, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import type { Run } from "../data/run";
import { type Moment, sampleVector, samplePose } from "../data/sample";
import { Arrows, Swarm } from "./arrows";
import { type Link, linksOf, pathOf } from "./links";
import type { Palette } from "./palette";

export interface Reaction {
  name: string;
  type: string;
  point: Vector3;
  force: Vector3;
  torque: Vector3;
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

/** Links from the bodies' centres to where joints hold them, and what the joints do to them. */
export class JointLayer {
  readonly group = new Group();
  private links: Link[];
  private rods: Arrows;
  private dots: Swarm;
  private forces: Arrows;

  constructor(private run: Run, private flat: boolean) {
    this.links = linksOf(run);
    this.rods = new Arrows(this.group, 2);
    this.dots = new Swarm(this.group, new SphereGeometry(1, 14, 8), new MeshBasicMaterial({ depthTest: false, transparent: true }), 3);
    this.forces = new Arrows(this.group, 4);
  }

  update(moment: Moment, frame: number, palette: Palette, unit: number, reactions: boolean, perNewton: number, most: number): void {
    const here = reactionsAt(this.run, frame);
    const color = new Color(palette.joint);
    const rod = new Color(palette.lineStrong);
    for (const s of [this.rods, this.dots, this.forces]) s.begin();
    here.forEach((reaction, j) => {
      const point = this.run.field("joint.point") ? reaction.point : null;
      const path = pathOf(this.run, this.links[j], moment, point);
      if (this.flat) for (const at of [...path, point]) at?.setZ(2.5);
      path.slice(1).forEach((to, i) => this.rods.add(path[i], to.clone().sub(path[i]), 0.3 * unit, rod, false));
      const middle = point ?? path[0] ?? new Vector3();
      this.dots.add(new Matrix4().makeScale(unit * 0.8, unit * 0.8, unit * 0.8).setPosition(middle), color);
      if (!reactions) return;
      for (const [vector, thick] of [[reaction.force, 0.42], [reaction.torque, 0.22]] as const) {
        if (this.flat && thick < 0.3) continue;
        const size = vector.length();
        const scale = size > 0 ? Math.min(perNewton, most / size) : 0;
        this.forces.add(middle, vector.clone().multiplyScalar(scale), thick * unit, color);
      }
    });
    for (const s of [this.rods, this.dots, this.forces]) s.end();
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
