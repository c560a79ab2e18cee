import { BackSide, type Box3, BufferAttribute, BufferGeometry, CylinderGeometry, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshLambertMaterial, PlaneGeometry, Quaternion, SphereGeometry, Vector3 } from "three";
import type { ShapeJson } from "../data/format";
import type { Body, Run } from "../data/run";
import { type Moment, samplePose } from "../data/sample";
import { gridMaterial } from "./grid_material";
import { hatchMaterial } from "./hatch_material";
import type { Palette } from "./palette";
import { isUnbounded, localPose, turnTo } from "./parts";

interface Piece {
  body: Body;
  mesh: Mesh;
  local: Matrix4;
  paint: (palette: Palette) => void;
}

const Z = new Vector3(0, 0, 1);

/** Half-spaces and the insides of pipes and balls: drawn as far as the run reaches. */
export class UnboundedLayer {
  readonly group = new Group();
  /** The floor's height along `up`, where there is one. */
  floor: number | null = null;
  private pieces: Piece[] = [];

  constructor(private run: Run, private flat: boolean, private box: Box3) {
    for (const body of run.bodies) for (const shape of body.shapes) {
      if (!isUnbounded(shape)) continue;
      const piece = this.pieceOf(body, shape);
      piece.mesh.matrixAutoUpdate = false;
      this.pieces.push(piece);
      this.group.add(piece.mesh);
    }
  }

  private get size(): number {
    return this.box.getSize(new Vector3()).length();
  }

  private pieceOf(body: Body, shape: ShapeJson): Piece {
    const local = localPose(shape);
    if (shape.type === "half_space" || shape.type === "half_plane") return this.halfSpace(body, shape, local);
    if (this.flat) {
      const radius = shape.radius ?? 1;
      const { material, paint } = hatchMaterial(radius);
      return { body, local, paint, mesh: new Mesh(new PlaneGeometry(6 * radius + this.size, 6 * radius + this.size), material) };
    }
    const radius = shape.radius ?? 1;
    local.multiply(new Matrix4().makeRotationFromQuaternion(turnTo(shape.axis)));
    const middle = new Vector3();
    if (shape.type === "hollow_cylinder") {
      // It has no ends: drawn where the run is.
      const axis = new Vector3(0, 0, 1).transformDirection(this.worldPose(body).multiply(local));
      const origin = new Vector3().applyMatrix4(this.worldPose(body).multiply(local));
      middle.z = this.box.getCenter(new Vector3()).sub(origin).dot(axis);
      local.multiply(new Matrix4().makeTranslation(middle));
    }
    const geometry = shape.type === "hollow_sphere" ? new SphereGeometry(radius, 64, 32) : new CylinderGeometry(radius, radius, Math.max(4 * radius, 1.2 * this.size), 64, 1, true).rotateX(Math.PI / 2);
    const material = new MeshLambertMaterial({ side: BackSide, transparent: true, opacity: 0.55, depthWrite: false });
    const mesh = new Mesh(geometry, material);
    const rim = new LineSegments(rimOf(geometry, shape.type === "hollow_sphere"), new LineBasicMaterial({ transparent: true, opacity: 0.7 }));
    mesh.receiveShadow = true;
    mesh.add(rim);
    return { body, local, mesh, paint: (palette) => {
      material.color.set(palette.still);
      rim.material.color.set(palette.lineStrong);
    } };
  }

  /** At the start. */
  private worldPose(body: Body): Matrix4 {
    const pose = new Float64Array(7);
    samplePose(this.run, body, { frame: 0, fraction: 0 }, pose);
    return new Matrix4().compose(new Vector3(pose[0], pose[1], pose[2]), new Quaternion(pose[4], pose[5], pose[6], pose[3]), new Vector3(1, 1, 1));
  }

  private halfSpace(body: Body, shape: ShapeJson, local: Matrix4): Piece {
    const normal = new Vector3(...(shape.normal ?? [0, 0, 1]));
    const length = normal.length() || 1;
    const onPlane = normal.clone().multiplyScalar((shape.offset ?? 0) / (length * length));
    normal.divideScalar(length);
    const place = this.worldPose(body).multiply(local);
    const worldNormal = normal.clone().transformDirection(place);
    const worldPoint = onPlane.clone().applyMatrix4(place);
    if (this.flat) {
      const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), normal.clone().setZ(0).normalize());
      local.multiply(new Matrix4().compose(onPlane, turn, new Vector3(1, 1, 1)));
      const along = this.box.getCenter(new Vector3()).applyMatrix4(this.worldPose(body).multiply(local).invert()).x;
      const wide = 60 * this.size;
      const { material, paint } = hatchMaterial(0);
      return { body, local, paint, mesh: new Mesh(new PlaneGeometry(2 * wide, wide).translate(along, -wide / 2, 0), material) };
    }
    const up = new Vector3(...this.run.up);
    const level = worldNormal.dot(up) > 0.999;
    if (level && this.floor === null) this.floor = worldPoint.dot(up);
    const middle = this.box.getCenter(new Vector3());
    const center = middle.clone().addScaledVector(worldNormal, worldPoint.clone().sub(middle).dot(worldNormal));
    const radius = (level ? 9 : 1.1) * this.size;
    const [u, v] = axesIn(worldNormal);
    local.multiply(new Matrix4().compose(onPlane, new Quaternion().setFromUnitVectors(Z, normal), new Vector3(1, 1, 1)));
    const { material, paint } = gridMaterial({ u, v, center, radius, fill: level ? 0.96 : 0.8, lit: true });
    const shift = center.clone().applyMatrix4(place.multiply(new Matrix4().compose(onPlane, new Quaternion().setFromUnitVectors(Z, normal), new Vector3(1, 1, 1))).invert());
    const mesh = new Mesh(new PlaneGeometry(2 * radius, 2 * radius).translate(shift.x, shift.y, 0), material);
    mesh.receiveShadow = true;
    mesh.renderOrder = -1; // before what is seen through
    return { body, local, paint, mesh };
  }

  update(moment: Moment, hidden: Set<number>): void {
    const pose = new Float64Array(7);
    for (const { body, mesh, local } of this.pieces) {
      samplePose(this.run, body, moment, pose);
      if (this.flat) pose[2] = -1;
      mesh.matrix.compose(new Vector3(pose[0], pose[1], pose[2]), new Quaternion(pose[4], pose[5], pose[6], pose[3]), new Vector3(1, 1, 1)).multiply(local);
      mesh.visible = !hidden.has(body.id);
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  color(palette: Palette): void {
    for (const piece of this.pieces) piece.paint(palette);
  }

  dispose(): void {
    for (const { mesh } of this.pieces) {
      mesh.geometry.dispose();
      (mesh.material as MeshLambertMaterial).dispose();
    }
  }
}

/** Three great circles of a ball; the ends and four lines of a pipe. */
function rimOf(geometry: SphereGeometry | CylinderGeometry, ball: boolean): BufferGeometry {
  const points: number[] = [];
  const size = geometry.parameters as { radius?: number; radiusTop?: number; height?: number };
  const r = size.radius ?? size.radiusTop ?? 1;
  const z = (size.height ?? 0) / 2;
  const round = (place: (c: number, s: number) => number[]) => {
    for (let i = 0; i < 64; ++i) for (const k of [i, i + 1]) points.push(...place(r * Math.cos((k * Math.PI) / 32), r * Math.sin((k * Math.PI) / 32)));
  };
  if (ball) for (const place of [(c: number, s: number) => [c, s, 0], (c: number, s: number) => [c, 0, s], (c: number, s: number) => [0, c, s]]) round(place);
  else {
    for (const end of [-z, z]) round((c, s) => [c, s, end]);
    for (const [c, s] of [[r, 0], [0, r], [-r, 0], [0, -r]]) points.push(c, s, -z, c, s, z);
  }
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
}

/** Two directions across the normal, along the world's axes where that is possible. */
export function axesIn(normal: Vector3): [Vector3, Vector3] {
  const help = Math.abs(normal.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
  const u = help.addScaledVector(normal, -help.dot(normal)).normalize();
  return [u, new Vector3().crossVectors(normal, u)];
}
