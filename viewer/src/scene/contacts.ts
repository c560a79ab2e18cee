import { Color, ConeGeometry, DoubleSide, Group, Matrix4, MeshBasicMaterial, Quaternion, type Raycaster, Shape, ShapeGeometry, SphereGeometry, Vector3 } from "three";
import type { Contact } from "../data/contacts";
import { Arrows, Swarm } from "./arrows";
import type { Palette } from "./palette";

const Z = new Vector3(0, 0, 1);

/** Apex at the origin, opening along z to a unit rim at z = 1. */
function coneGeometry() {
  return new ConeGeometry(1, 1, 32, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
}

/** The same seen from the side, in x, y opening along y. */
function wedgeGeometry() {
  const wedge = new Shape();
  wedge.moveTo(0, 0).lineTo(1, 1).lineTo(-1, 1).closePath();
  return new ShapeGeometry(wedge);
}

/** At each contact of a frame: its point, normal, friction cone and the impulse in it. */
export class ContactLayer {
  readonly group = new Group();
  private cones: Swarm;
  private dots: Swarm;
  private arrows: Arrows;
  private normals: Arrows;
  private shown: Contact[] = [];

  constructor(private flat: boolean) {
    const cone = new MeshBasicMaterial({ transparent: true, opacity: 0.26, side: DoubleSide, depthWrite: false, depthTest: !flat });
    this.cones = new Swarm(this.group, flat ? wedgeGeometry() : coneGeometry(), cone, 2);
    this.normals = new Arrows(this.group, 3);
    this.arrows = new Arrows(this.group, 4);
    this.dots = new Swarm(this.group, new SphereGeometry(1, 16, 10), new MeshBasicMaterial({ depthTest: false, transparent: true }), 5);
  }

  /** `unit` is the size of a mark in metres, `perImpulse` metres a newton second, `most` the longest arrow. */
  update(contacts: Contact[], palette: Palette, unit: number, perImpulse: number, most: number, selected: number | null): void {
    this.shown = contacts;
    unit *= contacts.length > 400 ? 0.45 : contacts.length > 100 ? 0.6 : contacts.length > 30 ? 0.75 : 1;
    for (const s of [this.cones, this.dots, this.arrows, this.normals]) s.begin();
    const ink = new Color(palette.ink);
    const matrix = new Matrix4();
    for (const contact of contacts) {
      const color = new Color(palette.state[contact.state] ?? palette.state[0]);
      const at = new Vector3(...contact.point);
      const normal = new Vector3(...contact.normal);
      const impulse = new Vector3(...contact.impulse);
      if (this.flat) for (const x of [at, normal, impulse]) x.z = x === at ? 3 : 0;
      const size = impulse.length();
      const scale = size > 0 ? Math.min(perImpulse, most / size) : 0;
      const height = Math.max(contact.normalImpulse * scale, 0);
      const dot = contact.record === selected ? 1.9 : 1;
      this.dots.add(matrix.makeScale(dot * unit, dot * unit, dot * unit).setPosition(at), color);
      this.normals.add(at, normal.clone().multiplyScalar(Math.max(7 * unit, 1.12 * height)), 0.14 * unit, ink, false);
      if (height > 0) this.cone(at, normal, height, contact.mu ?? 0, color);
      this.arrows.add(at, impulse.multiplyScalar(scale), 0.42 * unit, color);
    }
    for (const s of [this.cones, this.dots, this.arrows, this.normals]) s.end();
  }

  private cone(at: Vector3, normal: Vector3, height: number, mu: number, color: Color): void {
    if (!(mu > 0)) return;
    const wide = Math.min(mu, 50) * height;
    const axis = this.flat ? new Vector3(0, 1, 0) : Z;
    const turn = new Quaternion().setFromUnitVectors(axis, normal);
    this.cones.add(new Matrix4().compose(at, turn, this.flat ? new Vector3(wide, height, 1) : new Vector3(wide, wide, height)), color);
  }

  /** The contact whose dot is nearest to the ray, within `near` of it. */
  pick(ray: Raycaster, near: number): { contact: Contact; distance: number } | null {
    let best: { contact: Contact; distance: number; off: number } | null = null;
    for (const contact of this.shown) {
      const at = new Vector3(...contact.point);
      if (this.flat) at.z = 3;
      const off = ray.ray.distanceToPoint(at);
      if (off < near && (!best || off < best.off)) best = { contact, off, distance: ray.ray.origin.distanceTo(at) };
    }
    return best;
  }
}
