import { type Box3, Group, type Raycaster, Vector3 } from "three";
import type { Contact } from "../data/contacts";
import type { Body, Run } from "../data/run";
import { momentAt } from "../data/sample";
import { nearest } from "../data/search";
import { BodyLayer } from "./bodies";
import { ContactLayer } from "./contacts";
import { JointLayer, VelocityLayer } from "./joints";
import { MechanismLayer } from "./mechanism";
import type { Options, Selection } from "./options";
import type { Palette } from "./palette";
import { type Scales, scalesOf } from "./scales";
import { TrailLayer } from "./trails";
import { UnboundedLayer } from "./unbounded";

/** Pixels of a mark's radius, less in small pictures. */
const MARK = 4;
/** Pixels of an arrow of usual length. */
const USUAL = 70;
const GHOSTS = 6;
/** Instances of ghosts, and bodies with trails. */
const MOST_GHOSTS = 6000;
const MOST_TRAILS = 200;

/** Everything drawn of one run. */
export class RunView {
  readonly group = new Group();
  readonly world: UnboundedLayer;
  private bodies: BodyLayer;
  private contacts: ContactLayer;
  private mechanism: MechanismLayer;
  private joints: JointLayer;
  private velocities: VelocityLayer;
  private trails: TrailLayer;
  private ghosts: BodyLayer[] = [];
  private scales: Scales;
  private size: number;
  private overlaid = false;

  constructor(readonly run: Run, readonly place: number, box: Box3, readonly flat: boolean) {
    this.size = box.getSize(new Vector3()).length();
    this.world = new UnboundedLayer(run, flat, box);
    this.bodies = new BodyLayer(run, "solid", flat, this.size);
    this.contacts = new ContactLayer(flat);
    this.mechanism = new MechanismLayer(run, flat, this.size);
    this.joints = new JointLayer(run, flat);
    this.velocities = new VelocityLayer(run, flat);
    this.trails = new TrailLayer(run, flat);
    this.scales = scalesOf(run);
    for (const layer of [this.world, this.bodies, this.mechanism, this.contacts, this.joints, this.velocities, this.trails]) this.group.add(layer.group);
  }

  /** The usual sizes of arrows, anew. */
  rescale(): void {
    this.scales = scalesOf(this.run);
  }

  /** Laid over another run it is seen through, in one colour, and without its ground. */
  setOverlaid(overlaid: boolean, palette: Palette, selected: number | null): void {
    this.overlaid = overlaid;
    this.group.remove(this.bodies.group);
    this.bodies.dispose();
    this.bodies = new BodyLayer(this.run, overlaid ? "second" : "solid", this.flat, this.size, overlaid);
    this.bodies.color(palette, selected);
    this.group.add(this.bodies.group);
    this.world.group.visible = !overlaid;
  }

  color(palette: Palette, selected: number | null): void {
    this.bodies.color(palette, selected);
    this.world.color(palette);
    for (const ghost of this.ghosts) ghost.color(palette, selected);
  }

  /** `pixel`: metres on the screen's pixel, where one looks; `height`: of the picture, in pixels. */
  update(t: number, options: Options, selection: Selection, hidden: Set<number>, palette: Palette, pixel: number, height: number): void {
    const moment = momentAt(this.run, t);
    const frame = nearest(this.run.time, t);
    const unit = Math.min(MARK, height / 100) * pixel;
    const longest = Math.min(USUAL, 0.14 * height) * pixel * options.scale;
    const per = (usual: number) => (usual > 0 ? longest / usual : 0);
    this.bodies.update(moment, hidden);
    this.world.update(moment, hidden);
    this.contacts.group.visible = options.contacts;
    if (options.contacts) {
      const picked = selection.contact?.run === this.place ? selection.contact.record : null;
      this.contacts.update(this.run.contacts.ofFrame(frame), palette, unit, per(this.scales.impulse), 2 * longest, picked);
    }
    this.mechanism.group.visible = options.links;
    if (options.links) this.mechanism.update(t, moment, palette, unit, pixel, hidden, this.overlaid);
    this.joints.group.visible = options.joints;
    if (options.joints) this.joints.update(frame, palette, unit, per(this.scales.force), 2 * longest);
    this.velocities.group.visible = options.velocities;
    if (options.velocities) this.velocities.update(moment, palette, unit, per(this.scales.speed), hidden);
    this.trails.group.visible = options.trails;
    if (options.trails) this.trails.update(moment, this.traced(selection.body, hidden), palette);
    this.updateGhosts(t, options.ghosts, selection.body, hidden, palette);
  }

  private traced(selected: number | null, hidden: Set<number>): Body[] {
    const moving = this.run.bodies.filter((b) => b.row !== null && !hidden.has(b.id));
    const chosen = moving.filter((b) => b.id === selected);
    return moving.length <= MOST_TRAILS || chosen.length === 0 ? moving.slice(0, MOST_TRAILS) : chosen;
  }

  private updateGhosts(t: number, on: boolean, selected: number | null, hidden: Set<number>, palette: Palette): void {
    if (on && this.ghosts.length === 0 && this.run.bodies.length * GHOSTS <= MOST_GHOSTS) {
      this.ghosts = Array.from({ length: GHOSTS }, () => new BodyLayer(this.run, "ghost", this.flat, this.size, true));
      for (const ghost of this.ghosts) {
        this.group.add(ghost.group);
        ghost.color(palette, selected);
      }
    }
    const gap = (this.run.end - this.run.start) / 24;
    this.ghosts.forEach((ghost, i) => {
      const then = t - (i + 1) * gap;
      ghost.group.visible = on && then >= this.run.start;
      if (ghost.group.visible) ghost.update(momentAt(this.run, then), hidden);
    });
  }

  pick(ray: Raycaster, near: number, contacts: boolean): { body: Body } | { contact: Contact } | null {
    const contact = contacts ? this.contacts.pick(ray, near) : null;
    if (contact) return { contact: contact.contact };
    const body = this.bodies.pick(ray);
    return body ? { body: body.body } : null;
  }
}
