import { AmbientLight, Box3, Color, DirectionalLight, HemisphereLight, Mesh, PCFShadowMap, PlaneGeometry, Quaternion, Raycaster, Scene, Vector2, Vector3, WebGLRenderer } from "three";
import type { Run } from "../data/run";
import { momentAt, samplePose } from "../data/sample";
import { type Ball, ballsOf, boundsOf } from "./bounds";
import { CameraRig } from "./camera";
import { type GridMaterial, gridMaterial, gridStep, niceStep } from "./grid_material";
import { pixel } from "./materials";
import type { Layout, Options, Selection } from "./options";
import { type Palette, paletteOf } from "./palette";
import { RunView } from "./run_view";
import { axesIn } from "./unbounded";

const MOST_SHADOWS = 20_000;

/** The picture: renderer, light, ground, camera and the runs in it. */
export class Stage {
  readonly rig: CameraRig;
  readonly views: RunView[];
  readonly box = new Box3();
  private balls: Ball[] = [];
  readonly flat: boolean;
  layout: Layout = "overlay";
  palette: Palette = paletteOf("light");
  private scene = new Scene();
  private renderer: WebGLRenderer;
  private sun = new DirectionalLight(0xffffff, 2);
  private sky = new HemisphereLight(0xffffff, 0x888888, 1);
  private grid: { mesh: Mesh; look: GridMaterial };
  private dirty = true;

  constructor(readonly canvas: HTMLCanvasElement, private runs: Run[]) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.autoClear = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.flat = runs.every((run) => run.planar);
    this.measure();
    this.rig = new CameraRig(canvas, this.flat, runs[0].up, () => this.invalidate());
    this.views = runs.map((run, i) => new RunView(run, i, this.box, this.flat));
    for (const view of this.views) this.scene.add(view.group);
    this.grid = this.makeGrid();
    this.light();
  }

  /** The room the runs take, as far as they are known. */
  private measure(): void {
    for (const run of this.runs) this.box.union(boundsOf(run));
    this.balls = this.runs.flatMap((run) => ballsOf(run, this.box));
  }

  /** There is more of the runs. */
  grow(): void {
    this.measure();
    this.light();
    for (const view of this.views) view.rescale();
    this.invalidate();
  }

  private get size(): number {
    return this.box.getSize(new Vector3()).length();
  }

  private light(): void {
    const up = new Vector3(...this.runs[0].up);
    const [u, v] = axesIn(up);
    const center = this.box.getCenter(new Vector3());
    this.sky.position.copy(up);
    this.sun.position.copy(center).addScaledVector(up, 1.6 * this.size).addScaledVector(u, -0.7 * this.size).addScaledVector(v, -0.9 * this.size);
    this.sun.target.position.copy(center);
    const camera = this.sun.shadow.camera;
    const r = 0.75 * this.size;
    Object.assign(camera, { left: -r, right: r, top: r, bottom: -r, near: 0.1 * this.size, far: 5 * this.size });
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.sun.shadow.normalBias = 0.0015 * this.size;
    camera.updateProjectionMatrix();
    if (this.sun.parent === null) this.scene.add(this.sky, this.sun, this.sun.target, new AmbientLight(0xffffff, 0.25));
  }

  /** Where no half-space lies level, lines at the lowest place of the run. */
  private makeGrid() {
    const up = this.flat ? new Vector3(0, 0, 1) : new Vector3(...this.runs[0].up);
    const center = this.box.getCenter(new Vector3());
    const low = Math.min(this.box.min.dot(up), this.box.max.dot(up));
    if (this.flat) center.z = -2;
    else center.addScaledVector(up, low - center.dot(up));
    const radius = (this.flat ? 60 : 4) * this.size;
    const [u, v] = axesIn(up);
    const look = gridMaterial({ u, v, center, radius, fill: 0, lit: false });
    const mesh = new Mesh(new PlaneGeometry(2 * radius, 2 * radius), look.material);
    mesh.position.copy(center);
    mesh.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
    mesh.renderOrder = -1;
    this.scene.add(mesh);
    return { mesh, look };
  }

  /** Height of the ground along `up`. */
  get ground(): number {
    const floor = this.views[0].world.floor;
    return floor ?? Math.min(this.box.min.dot(new Vector3(...this.runs[0].up)), this.box.max.dot(new Vector3(...this.runs[0].up)));
  }

  setTheme(theme: "light" | "dark", selection: Selection): void {
    this.palette = paletteOf(theme);
    this.scene.background = new Color(this.palette.background);
    this.sky.color.set(this.palette.sky);
    this.sky.groundColor.set(this.palette.earth);
    this.sky.intensity = this.palette.ambient;
    this.sun.intensity = this.palette.sun;
    this.grid.look.paint(this.palette);
    this.recolor(selection);
  }
  recolor(selection: Selection): void {
    for (const view of this.views) view.color(this.palette, this.idIn(view, selection.body));
    this.invalidate();
  }
  setLayout(layout: Layout, selection: Selection): void {
    this.layout = layout;
    if (this.views[1]) this.views[1].setOverlaid(layout === "overlay", this.palette, this.idIn(this.views[1], selection.body));
    this.resize();
  }

  /** The body of another run that has the same name. */
  private idIn(view: RunView, body: number | null): number | null {
    if (body === null || view.place === 0) return body;
    return view.run.bodies.find((b) => b.name === this.runs[0].bodies[body]?.name)?.id ?? null;
  }

  invalidate(): void {
    this.dirty = true;
  }
  get needsDraw(): boolean {
    return this.dirty;
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas.parentElement ?? this.canvas;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.rig.resize(this.layout === "split" ? clientWidth / 2 : clientWidth, clientHeight);
    this.invalidate();
  }

  frame(view: "start" | "front" | "side" | "top" = "start"): void {
    this.rig.frame(this.box, this.balls, view);
    this.invalidate();
  }

  followBody(body: number | null, t: number): void {
    if (body === null) return this.rig.follow(null);
    const pose = new Float64Array(7);
    samplePose(this.runs[0], this.runs[0].bodies[body], momentAt(this.runs[0], t), pose);
    this.rig.follow(new Vector3(pose[0], pose[1], pose[2]));
  }

  /** A followed body that is out of the picture is brought into it. */
  showFollowed(): void {
    const at = this.rig.followed;
    if (at && !this.sees(at)) this.rig.lookAt(at);
  }

  draw(t: number, options: Options, selection: Selection, hidden: Set<number>): void {
    this.dirty = false;
    const size = this.renderer.getSize(new Vector2());
    const metresPerPixel = this.rig.visibleHeight(1) / Math.max(1, size.y);
    pixel.value = metresPerPixel;
    gridStep.value = niceStep(80 * metresPerPixel);
    this.grid.mesh.visible = options.grid && (this.flat || this.views[0].world.floor === null);
    this.sun.castShadow = options.shadows && !this.flat && this.runs.every((run) => run.bodies.length <= MOST_SHADOWS);
    const shown = this.views.filter((view) => !(this.layout === "first" && view.place === 1) && !(this.layout === "second" && view.place === 0));
    for (const view of shown) view.update(t, options, selection, this.hiddenIn(view, hidden), this.palette, metresPerPixel, size.y);
    this.renderer.setScissorTest(false);
    this.renderer.setViewport(0, 0, size.x, size.y);
    this.renderer.clear();
    if (this.layout === "split" && shown.length === 2) shown.forEach((view, i) => this.drawPart([view], i, size));
    else this.drawPart(shown, null, size);
  }

  /** Whether a point is in the picture. */
  sees(point: Vector3): boolean {
    const at = point.clone().project(this.rig.camera);
    return Math.abs(at.x) < 0.95 && Math.abs(at.y) < 0.95;
  }

  /** Waits for the graphics to be done with what was drawn. */
  finish(): void {
    const gl = this.renderer.getContext();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }

  private hiddenIn(view: RunView, hidden: Set<number>): Set<number> {
    if (view.place === 0 || hidden.size === 0) return hidden;
    return new Set([...hidden].map((id) => this.idIn(view, id)).filter((id): id is number => id !== null));
  }

  private drawPart(shown: RunView[], half: number | null, size: Vector2): void {
    for (const view of this.views) view.group.visible = shown.includes(view);
    if (half !== null) {
      this.renderer.setViewport((half * size.x) / 2, 0, size.x / 2, size.y);
      this.renderer.setScissor((half * size.x) / 2, 0, size.x / 2, size.y);
      this.renderer.setScissorTest(true);
    }
    this.renderer.render(this.scene, this.rig.camera);
  }

  /** x, y from the canvas' corner in CSS pixels. */
  pick(x: number, y: number, contacts: boolean): ReturnType<RunView["pick"]> & { run?: number } | null {
    const { clientWidth, clientHeight } = this.canvas;
    const split = this.layout === "split";
    const half = split && x > clientWidth / 2 ? 1 : 0;
    const width = split ? clientWidth / 2 : clientWidth;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * (x - half * width)) / width - 1, 1 - (2 * y) / clientHeight), this.rig.camera);
    const first = this.layout === "second" || half === 1 ? 1 : 0;
    const order = split ? [first] : [first, 1 - first];
    for (const i of order) {
      if (!this.views[i] || (this.layout === "first" && i === 1) || (this.layout === "second" && i === 0)) continue;
      const hit = this.views[i].pick(ray, 12 * pixel.value, contacts);
      if (hit) return { ...hit, run: i };
    }
    return null;
  }
}
