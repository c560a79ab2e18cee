import { BufferAttribute, BufferGeometry, Color, Group, LineBasicMaterial, LineSegments } from "three";
import type { Body, Run } from "../data/run";
import { type Moment, samplePose } from "../data/sample";
import { bodyColor, type Palette } from "./palette";

/** Points of all trails together. */
const MOST = 200_000;

/** Where bodies came from, fading with age. */
export class TrailLayer {
  readonly group = new Group();
  private lines: LineSegments<BufferGeometry, LineBasicMaterial>;
  private room = 0;

  constructor(private run: Run, private flat: boolean) {
    this.lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, transparent: true }));
    this.lines.frustumCulled = false;
    this.group.add(this.lines);
  }

  update(moment: Moment, bodies: Body[], palette: Palette): void {
    const perBody = Math.max(2, Math.floor(MOST / Math.max(1, bodies.length)));
    const stride = Math.max(1, Math.ceil((moment.frame + 1) / perBody));
    const segments = Math.floor(moment.frame / stride) + 1;
    this.reserve(2 * segments * bodies.length);
    const position = this.lines.geometry.getAttribute("position").array as Float32Array;
    const color = this.lines.geometry.getAttribute("color").array as Float32Array;
    const a = new Float64Array(7);
    const b = new Float64Array(7);
    const background = new Color(palette.background);
    const shade = new Color();
    let n = 0;
    for (const body of bodies) {
      const own = new Color(bodyColor(body.row ?? 0));
      samplePose(this.run, body, { frame: moment.frame % stride, fraction: 0 }, a);
      for (let f = moment.frame % stride; f <= moment.frame; f += stride) {
        const last = f + stride > moment.frame;
        samplePose(this.run, body, last ? moment : { frame: f + stride, fraction: 0 }, b);
        shade.copy(background).lerp(own, 0.15 + (0.85 * (f + 1)) / (moment.frame + 1));
        for (const p of [a, b]) {
          position.set([p[0], p[1], this.flat ? 2.2 : p[2]], 3 * n);
          shade.toArray(color, 3 * n++);
        }
        a.set(b);
      }
    }
    this.lines.geometry.setDrawRange(0, n);
    for (const name of ["position", "color"]) this.lines.geometry.getAttribute(name).needsUpdate = true;
  }

  private reserve(points: number): void {
    if (points <= this.room) return;
    this.room = 2 * points;
    this.lines.geometry.dispose();
    this.lines.geometry = new BufferGeometry();
    for (const name of ["position", "color"]) this.lines.geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * this.room), 3));
  }
}
