import { type Box3, OrthographicCamera, PerspectiveCamera, Quaternion, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { Ball } from "./bounds";

/** Share of the picture that the run fills at first. */
const FILL = 0.78;

export type View = "start" | "front" | "side" | "top";

/** The one camera of the page: an orbit in space, a sheet in the plane. */
export class CameraRig {
  readonly camera: PerspectiveCamera | OrthographicCamera;
  readonly controls: OrbitControls;
  private up: Vector3;
  followed: Vector3 | null = null;
  private size = 1;
  private aspect = 1;

  constructor(element: HTMLElement, readonly flat: boolean, up: [number, number, number], changed: () => void) {
    this.up = flat ? new Vector3(0, 1, 0) : new Vector3(...up);
    this.camera = flat ? new OrthographicCamera(-1, 1, 1, -1) : new PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableRotate = !flat;
    this.controls.screenSpacePanning = true;
    this.controls.zoomToCursor = true;
    this.controls.zoomSpeed = 1.4;
    if (flat) {
      this.controls.mouseButtons.LEFT = 2; // MOUSE.PAN
      this.controls.touches.ONE = 1; // TOUCH.PAN
    }
    this.controls.addEventListener("change", changed);
  }

  /** Where one looks from, for x to the right where that is possible. */
  private direction(view: View): Vector3 {
    const up = this.up;
    const guess = Math.abs(up.z) > 0.7 ? new Vector3(0, -1, 0) : Math.abs(up.y) > 0.7 ? new Vector3(0, 0, 1) : new Vector3(0, 0, 1);
    const front = guess.addScaledVector(up, -guess.dot(up)).normalize();
    const right = new Vector3().crossVectors(up, front);
    if (view === "front") return front;
    if (view === "side") return right;
    if (view === "top") return up.clone().addScaledVector(front, 1e-3).normalize();
    return front.multiplyScalar(0.8).addScaledVector(right, 0.42).addScaledVector(up, 0.42).normalize();
  }

  frame(box: Box3, balls: Ball[], view: View = "start"): void {
    const center = box.getCenter(new Vector3());
    const extent = box.getSize(new Vector3());
    this.size = Math.max(extent.length(), 1e-9);
    this.followed = null;
    this.controls.target.copy(center);
    if (this.camera instanceof OrthographicCamera) {
      const margin = 1.22;
      const half = 0.5 * margin * Math.max(extent.y, extent.x / this.aspect, 0.05 * this.size);
      Object.assign(this.camera, { top: half, bottom: -half, left: -half * this.aspect, right: half * this.aspect, zoom: 1, near: -4 * this.size - 10, far: 30 + 4 * this.size });
      this.controls.target.setZ(0);
      this.camera.position.set(center.x, center.y, 10);
    } else {
      // One point that stays where it is has no size to be seen at.
      const wide = balls.some((ball) => ball.radius > 0 || ball.center.distanceTo(balls[0].center) > 1e-3 * this.size);
      this.frameInSpace(this.camera, wide ? balls : [{ center, radius: 0.35 * this.size }], this.direction(view));
    }
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** The nearest place in this direction from which every ball is seen, in the middle of the picture. */
  private frameInSpace(camera: PerspectiveCamera, balls: Ball[], way: Vector3): void {
    const target = this.controls.target;
    camera.position.copy(target).add(way);
    camera.lookAt(target);
    camera.updateMatrixWorld();
    const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const above = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    const tall = Math.tan((camera.fov * Math.PI) / 360);
    let far = 2 * this.size;
    for (let round = 0; round < 12; ++round) {
      const edge = { left: Infinity, right: -Infinity, low: Infinity, high: -Infinity };
      for (const { center, radius } of balls) {
        const at = center.clone().sub(target);
        const deep = Math.max(far - at.dot(way), 1e-3 * this.size);
        const [x, y, r] = [at.dot(right) / (deep * tall * this.aspect), at.dot(above) / (deep * tall), radius / (deep * tall)];
        edge.left = Math.min(edge.left, x - r / this.aspect);
        edge.right = Math.max(edge.right, x + r / this.aspect);
        edge.low = Math.min(edge.low, y - r);
        edge.high = Math.max(edge.high, y + r);
      }
      target.addScaledVector(right, ((edge.left + edge.right) / 2) * far * tall * this.aspect).addScaledVector(above, ((edge.low + edge.high) / 2) * far * tall);
      far *= Math.max(edge.right - edge.left, edge.high - edge.low, 0.02) / (2 * FILL);
    }
    camera.position.copy(target).addScaledVector(way, far);
    camera.near = this.size / 500;
    camera.far = this.size * 60;
    this.controls.minDistance = this.size / 200;
    this.controls.maxDistance = this.size * 25;
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(1, height);
    if (this.camera instanceof OrthographicCamera) {
      this.camera.left = -this.camera.top * this.aspect;
      this.camera.right = this.camera.top * this.aspect;
    } else this.camera.aspect = this.aspect;
    this.camera.updateProjectionMatrix();
  }

  /** Moves with a point from where it was last time; null lets go. */
  follow(point: Vector3 | null): void {
    if (point && this.followed) {
      const by = point.clone().sub(this.followed);
      if (this.flat) by.z = 0;
      this.camera.position.add(by);
      this.controls.target.add(by);
    }
    this.followed = point ? point.clone() : null;
  }

  lookAt(point: Vector3): void {
    const by = point.clone().sub(this.controls.target);
    if (this.flat) by.z = 0;
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  /** Turns about the target (moves, in the plane): what the mouse does, from the keyboard. */
  nudge(right: number, up: number): void {
    const eye = this.camera.position.clone().sub(this.controls.target);
    if (this.flat) {
      const by = new Vector3(right, up, 0).multiplyScalar(0.06 * this.visibleHeight(1) );
      this.camera.position.add(by);
      this.controls.target.add(by);
    } else {
      eye.applyQuaternion(new Quaternion().setFromAxisAngle(this.up, right * 0.12));
      const side = new Vector3().crossVectors(this.up, eye).normalize();
      const tilted = eye.clone().applyQuaternion(new Quaternion().setFromAxisAngle(side, -up * 0.12));
      const angle = tilted.angleTo(this.up);
      if (angle > 0.02 && angle < Math.PI - 0.02) eye.copy(tilted);
      this.camera.position.copy(this.controls.target).add(eye);
    }
    this.controls.update();
  }

  zoom(factor: number): void {
    if (this.camera instanceof OrthographicCamera) this.camera.zoom *= factor;
    else this.camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    this.camera.updateProjectionMatrix();
    this.controls.update();
  }

  /** Metres over `share` of the picture's height, where one looks. */
  visibleHeight(share: number): number {
    if (this.camera instanceof OrthographicCamera) return (share * (this.camera.top - this.camera.bottom)) / this.camera.zoom;
    return share * 2 * Math.tan((this.camera.fov * Math.PI) / 360) * this.camera.position.distanceTo(this.controls.target);
  }
}
