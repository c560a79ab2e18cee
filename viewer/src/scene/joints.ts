import { Color, Group, Vector3 } from "three";
import type { Run } from "../data/run";
import { type Moment, sampleVector, samplePose } from "../data/sample";
import { Arrows } from "./arrows";
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

/** What joints do to their bodies. */
export class JointLayer {
  readonly group = new Group();
  private forces = new Arrows(this.group, 4);

  constructor(private run: Run, private flat: boolean) {}

  update(frame: number, palette: Palette, unit: number, perNewton: number, most: number): void {
    const color = new Color(palette.joint);
    this.forces.begin();
    for (const { point, force, torque } of reactionsAt(this.run, frame)) {
      if (this.flat) point.z = 2.6;
      for (const [vector, thick] of [[force, 0.42], [torque, 0.22]] as const) {
        if (this.flat && thick < 0.3) continue;
        const size = vector.length();
        const scale = size > 0 ? Math.min(perNewton, most / size) : 0;
        this.forces.add(point, vector.clone().multiplyScalar(scale), thick * unit, color);
      }
    }
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
