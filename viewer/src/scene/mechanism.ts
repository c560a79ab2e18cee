import { BoxGeometry, Color, CylinderGeometry, Group, Matrix4, MeshBasicMaterial, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Run } from "../data/run";
import type { Moment } from "../data/sample";
import { Arrows, Swarm } from "./arrows";
import { coil, hanging, zigzag } from "./curves";
import { type End, endsOf, type Link, linksOf, springLinksOf } from "./links";
import type { Palette } from "./palette";
import { reach } from "./parts";

const Z = new Vector3(0, 0, 1);
/** In the flat view: behind all that moves, before what stands still; and before everything. */
const BEHIND = 0.9995;
const FRONT = 2.5;
/** More springs than this are drawn as straight lines. */
const MOST_COILS = 300;
/** More joints than this have small marks. */
const MANY = 100;

interface Guide {
  from: number;
  to: number;
}

/** Springs, dampers, ropes, rods, guides, and a mark of its kind at each joint. */
export class MechanismLayer {
  readonly group = new Group();
  private joints: Link[];
  private springs: Link[];
  private guides: (Guide | null)[];
  private broken: (number | null)[];
  private lines: Arrows;
  private balls: Swarm;
  private pins: Swarm;
  private boxes: Swarm;
  private least = 0;
  private color = new Color();
  private mark = new Color();

  constructor(private run: Run, private flat: boolean, private size: number) {
    this.joints = linksOf(run);
    this.springs = springLinksOf(run);
    this.guides = this.joints.map((link) => this.guideOf(link));
    this.broken = this.joints.map((link) => run.events.find((e) => e.kind === "break" && e.contact === link.joint.name)?.time ?? null);
    this.lines = new Arrows(this.group, 1, flat ? new MeshBasicMaterial() : new MeshLambertMaterial());
    const over = () => new MeshBasicMaterial({ depthTest: false, transparent: true });
    this.balls = new Swarm(this.group, new SphereGeometry(1, 18, 12), over(), 3);
    this.pins = new Swarm(this.group, new CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2), over(), 3);
    this.boxes = new Swarm(this.group, new BoxGeometry(1, 1, 1), over(), 3);
  }

  /** How far along its axis a slider goes in the whole run. */
  private guideOf(link: Link): Guide | null {
    if (!["prismatic", "cylindrical"].includes(link.joint.type) || !link.joint.axis) return null;
    const last = Math.max(0, this.run.frames - 1);
    const travel = Array.from({ length: 61 }, (_, i) => {
      const [b, a] = endsOf(this.run, link, { frame: Math.round((i * last) / 60), fraction: 0 });
      return a.anchor && b.anchor ? a.anchor.clone().sub(b.anchor).dot(axisOf(link, b)) : 0;
    });
    const room = 0.06 * this.size;
    return { from: Math.min(...travel) - room, to: Math.max(...travel) + room };
  }

  /** `unit` is the size of marks, `pixel` the least a line is thick. */
  update(t: number, moment: Moment, palette: Palette, unit: number, pixel: number, hidden: Set<number>, second: boolean): void {
    this.least = 0.7 * pixel;
    this.color.set(second ? palette.second : palette.link);
    this.mark.set(second ? palette.second : palette.joint);
    for (const s of [this.lines, this.balls, this.pins, this.boxes]) s.begin();
    const small = this.joints.length > MANY ? 0.6 : 1;
    const shown = (link: Link) => !link.bodies.some((b) => b && hidden.has(b.id));
    this.joints.forEach((link, j) => {
      const gone = this.broken[j];
      if (shown(link) && !(gone !== null && t >= gone)) this.joint(link, j, moment, unit * small);
    });
    for (const spring of this.springs) if (shown(spring)) this.spring(spring, moment, unit);
    for (const s of [this.lines, this.balls, this.pins, this.boxes]) s.end();
  }

  private line(from: Vector3, to: Vector3, thick: number): void {
    const [a, b] = [from.clone(), to.clone()];
    if (this.flat) a.z = b.z = BEHIND;
    this.lines.add(a, b.sub(a), Math.max(thick, this.least), this.color, false);
  }
  private path(points: Vector3[], thick: number): void {
    points.slice(1).forEach((to, i) => this.line(points[i], to, thick));
  }

  private joint(link: Link, j: number, moment: Moment, unit: number): void {
    const [b, a] = endsOf(this.run, link, moment);
    if (!a.anchor || !b.anchor) return;
    for (const end of [a, b]) this.arm(end, unit);
    const guide = this.guides[j];
    const axis = axisOf(link, b);
    switch (link.joint.type) {
      case "distance":
        this.line(b.anchor, a.anchor, 0.4 * unit);
        for (const at of [a.anchor, b.anchor]) this.ball(at, 0.7 * unit);
        return;
      case "rope":
        this.path(hanging(b.anchor, a.anchor, link.joint.length ?? 0, new Vector3(...this.run.up)), 0.22 * unit);
        for (const at of [a.anchor, b.anchor]) this.ball(at, 0.6 * unit);
        return;
      case "revolute":
        if (this.flat) this.ball(a.anchor, unit);
        else this.pin(a.anchor, axis, 0.75 * unit, 5 * unit);
        return;
      case "prismatic":
      case "cylindrical":
        if (guide) this.line(b.anchor.clone().addScaledVector(axis, guide.from), b.anchor.clone().addScaledVector(axis, guide.to), 0.45 * unit);
        if (link.joint.type === "cylindrical") this.pin(a.anchor, axis, 1.1 * unit, 3.4 * unit);
        else this.box(a.anchor, axis, 1.9 * unit, 3.4 * unit);
        return;
      case "universal":
        this.pin(a.anchor, axis, 0.6 * unit, 5 * unit);
        this.ball(a.anchor, unit);
        return;
      case "planar":
        return this.pin(a.anchor, axis, 1.6 * unit, 0.6 * unit);
      case "fixed":
        return this.box(a.anchor, Z, 1.8 * unit, 1.8 * unit);
      default:
        return this.ball(a.anchor, unit);
    }
  }

  /** From a body's centre to where a joint holds it, where no shape of the body reaches that far. */
  private arm(end: End, unit: number): void {
    if (!end.center || !end.anchor || !end.body) return;
    const far = Math.max(0, ...end.body.shapes.map(reach));
    if (end.center.distanceTo(end.anchor) > 1.001 * far) this.line(end.center, end.anchor, 0.35 * unit);
  }

  private spring(link: Link, moment: Moment, unit: number): void {
    const [b, a] = endsOf(this.run, link, moment);
    if (!a.anchor || !b.anchor || !link.spring) return;
    for (const end of [a, b]) this.arm(end, unit);
    const { stiffness, damping, length } = link.spring;
    const wide = Math.min(0.1 * Math.max(length, a.anchor.distanceTo(b.anchor)), 0.022 * this.size);
    if (this.springs.length > MOST_COILS) return this.line(b.anchor, a.anchor, 0.3 * unit);
    if (stiffness > 0) this.path(this.flat ? zigzag(b.anchor, a.anchor, wide) : coil(b.anchor, a.anchor, wide), 0.26 * unit);
    if (damping > 0) this.dashpot(b.anchor, a.anchor, length, unit);
    for (const at of [a.anchor, b.anchor]) this.ball(at, 0.6 * unit);
  }

  /** A pot at one end and a piston's rod from the other. */
  private dashpot(from: Vector3, to: Vector3, rest: number, unit: number): void {
    const length = from.distanceTo(to);
    if (!(length > 0)) return;
    const way = to.clone().sub(from).divideScalar(length);
    const at = (x: number) => from.clone().addScaledVector(way, Math.min(x, length));
    const pot = 0.5 * (rest > 0 ? rest : length);
    this.line(from, at(0.3 * pot), 0.3 * unit);
    this.line(at(0.3 * pot), at(pot), 1.1 * unit);
    this.line(at(0.8 * pot), to, 0.4 * unit);
  }

  private ball(at: Vector3, radius: number): void {
    this.balls.add(new Matrix4().makeScale(radius, radius, radius).setPosition(this.front(at)), this.mark);
  }
  private pin(at: Vector3, axis: Vector3, radius: number, length: number): void {
    this.pins.add(new Matrix4().compose(this.front(at), new Quaternion().setFromUnitVectors(Z, axis), new Vector3(radius, radius, length)), this.mark);
  }
  private box(at: Vector3, axis: Vector3, wide: number, long: number): void {
    this.boxes.add(new Matrix4().compose(this.front(at), new Quaternion().setFromUnitVectors(Z, axis), new Vector3(wide, wide, long)), this.mark);
  }
  private front(at: Vector3): Vector3 {
    return this.flat ? at.clone().setZ(FRONT) : at;
  }
}

/** In the world. */
function axisOf(link: Link, partner: End): Vector3 {
  const axis = new Vector3(...(link.joint.axis ?? [0, 0, 1]));
  if (partner.turn) axis.applyQuaternion(partner.turn);
  return axis.normalize();
}
