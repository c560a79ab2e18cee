import { Color, DynamicDrawUsage, Group, InstancedMesh, type Intersection, Matrix4, Quaternion, type Raycaster, Vector3 } from "three";
import type { Body, Run } from "../data/run";
import { type Moment, samplePose } from "../data/sample";
import { edgeGeometry, fillGeometry, silhouette } from "./flats";
import { impostorDepth, impostorGeometry, impostorMaterial, pickBall } from "./impostor";
import { edgeMaterial, fillMaterial, solidMaterial, type Style } from "./materials";
import { bodyColor, type Palette } from "./palette";
import { type Part, partsOf } from "./parts";
import { segmentsFor, solidGeometry } from "./solids";

const CROWD = 2000;
/** Discs of radius 1 seen along z, scaled. */
const ROUND = new Set(["sphere", "disc", "point"]);
const NOWHERE = new Matrix4().makeScale(0, 0, 0);
const ONE = new Vector3(1, 1, 1);

interface Cluster {
  parts: Part[];
  mesh: InstancedMesh;
  edge: InstancedMesh | null;
  /** Drawn as impostors. */
  balls: boolean;
}

/** The bounded shapes of all bodies of a run at one moment: one draw call for each kind of shape. */
export class BodyLayer {
  readonly group = new Group();
  private clusters: Cluster[] = [];
  private hidden = new Set<number>();
  private selected: number | null = null;
  private matrices: Matrix4[];

  constructor(private run: Run, private style: Style, private flat: boolean, size: number, movingOnly = false) {
    const bodies = movingOnly ? run.bodies.filter((b) => b.row !== null) : run.bodies;
    this.matrices = run.bodies.map(() => new Matrix4());
    const sorted = new Map<string, Part[]>();
    for (const part of partsOf(bodies, 0.014 * size)) {
      const flatKey = flat && !ROUND.has(part.key) ? `${part.key} ${part.local.elements.map((x) => x.toPrecision(9)).join()}` : part.key;
      const alike = sorted.get(flatKey);
      if (alike) alike.push(part);
      else sorted.set(flatKey, [part]);
    }
    for (const parts of sorted.values()) this.clusters.push(flat ? this.flatCluster(parts) : this.solidCluster(parts));
    for (const { mesh, edge } of this.clusters) {
      this.group.add(mesh);
      if (edge) this.group.add(edge);
    }
  }

  /** A crowd of balls. */
  private ballCluster(parts: Part[]): Cluster {
    const mesh = new InstancedMesh(impostorGeometry(), impostorMaterial(this.style), parts.length);
    mesh.castShadow = this.style === "solid";
    mesh.customDepthMaterial = impostorDepth();
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    return { parts, mesh, edge: null, balls: true };
  }

  private solidCluster(parts: Part[]): Cluster {
    if (parts.length > CROWD && parts[0].key === "sphere") return this.ballCluster(parts);
    const mesh = new InstancedMesh(solidGeometry(parts[0].shape, segmentsFor(parts.length)), solidMaterial(this.style, parts.length > CROWD), parts.length);
    mesh.castShadow = mesh.receiveShadow = this.style === "solid";
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    return { parts, mesh, edge: null, balls: false };
  }

  private flatCluster(parts: Part[]): Cluster {
    const round = ROUND.has(parts[0].key);
    const points = silhouette(parts[0].shape, parts[0].local);
    if (!round) for (const part of parts) part.local = new Matrix4();
    const mesh = new InstancedMesh(fillGeometry(points), fillMaterial(this.style), parts.length);
    const edge = new InstancedMesh(edgeGeometry(points, round && parts[0].key !== "point"), edgeMaterial(this.style, 2), parts.length);
    edge.instanceMatrix = mesh.instanceMatrix;
    edge.renderOrder = 1;
    // Before its own fill; where runs coincide, behind the first run's.
    edge.material.polygonOffset = true;
    edge.material.polygonOffsetFactor = 0;
    edge.material.polygonOffsetUnits = this.style === "solid" ? -4 : 4;
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = edge.frustumCulled = false;
    return { parts, mesh, edge, balls: false };
  }

  update(moment: Moment, hidden: Set<number>): void {
    this.hidden = hidden;
    const pose = new Float64Array(7);
    const at = new Vector3();
    const turn = new Quaternion();
    const count = Math.max(1, this.run.bodies.length);
    for (const body of this.run.bodies) {
      samplePose(this.run, body, moment, pose);
      // In the flat view depth is the order of drawing: what stands still lies behind.
      if (this.flat) pose[2] = (body.row === null ? 0 : 1) + body.id / count;
      this.matrices[body.id].compose(at.set(pose[0], pose[1], pose[2]), turn.set(pose[4], pose[5], pose[6], pose[3]), ONE);
    }
    const product = new Matrix4();
    for (const { parts, mesh } of this.clusters) {
      const out = mesh.instanceMatrix.array as Float32Array;
      parts.forEach((part, i) => {
        if (hidden.has(part.body.id)) NOWHERE.toArray(out, 16 * i);
        else product.multiplyMatrices(this.matrices[part.body.id], part.local).toArray(out, 16 * i);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  color(palette: Palette, selected: number | null): void {
    this.selected = selected;
    const color = new Color();
    for (const { parts, mesh, edge } of this.clusters) {
      parts.forEach((part, i) => {
        mesh.setColorAt(i, color.set(this.colorOf(part.body, palette)));
        edge?.setColorAt(i, color.set(part.body.id === selected ? palette.selected : this.style === "second" ? palette.second : palette.outline));
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      if (edge?.instanceColor) edge.instanceColor.needsUpdate = true;
    }
  }

  private colorOf(body: Body, palette: Palette): Color {
    if (this.style === "second") return new Color(palette.second);
    const color = new Color(body.motion === "kinematic" ? palette.kinematic : body.row === null ? palette.still : bodyColor(body.row));
    if (this.flat) color.lerp(new Color(palette.background), 0.25);
    if (body.id === this.selected && !this.flat) color.lerp(new Color(palette.selected), 0.65).offsetHSL(0, 0.1, 0.08);
    return color;
  }

  /** The nearest body on the ray, and how far it is. */
  pick(ray: Raycaster): { body: Body; distance: number } | null {
    let best: { body: Body; distance: number } | null = null;
    const take = (part: Part | undefined, distance: number) => {
      if (part && !this.hidden.has(part.body.id) && (!best || distance < best.distance)) best = { body: part.body, distance };
    };
    for (const { parts, mesh, balls } of this.clusters) {
      if (balls) {
        const hit = pickBall(mesh.instanceMatrix.array as Float32Array, parts.length, ray);
        if (hit) take(parts[hit.instance], hit.distance);
        continue;
      }
      mesh.boundingSphere = null;
      const hits: Intersection[] = [];
      mesh.raycast(ray, hits);
      for (const hit of hits) take(parts[hit.instanceId ?? -1], hit.distance);
    }
    return best;
  }

  dispose(): void {
    for (const { mesh, edge } of this.clusters) for (const m of [mesh, edge]) {
      m?.geometry.dispose();
      (Array.isArray(m?.material) ? [] : [m?.material]).forEach((x) => x?.dispose());
      m?.dispose();
    }
  }
}
