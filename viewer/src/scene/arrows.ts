import { BufferGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage, Group, InstancedMesh, Matrix4, type Material, MeshBasicMaterial, Quaternion, Vector3 } from "three";

const Z = new Vector3(0, 0, 1);

/** Instances that are set anew each time, with room that grows. */
export class Swarm {
  mesh: InstancedMesh;
  private used = 0;

  constructor(private parent: Group, private geometry: BufferGeometry, private material: Material, private order = 2) {
    this.mesh = this.make(16);
  }
  private make(room: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.setColorAt(0, new Color());
    mesh.frustumCulled = false;
    mesh.renderOrder = this.order;
    mesh.count = 0;
    this.parent.add(mesh);
    return mesh;
  }
  begin(): void {
    this.used = 0;
  }
  add(matrix: Matrix4, color: Color): number {
    if (this.used === this.mesh.instanceMatrix.count) this.grow();
    this.mesh.setMatrixAt(this.used, matrix);
    this.mesh.setColorAt(this.used, color);
    return this.used++;
  }
  private grow(): void {
    const old = this.mesh;
    this.mesh = this.make(2 * old.instanceMatrix.count);
    (this.mesh.instanceMatrix.array as Float32Array).set(old.instanceMatrix.array);
    (this.mesh.instanceColor!.array as Float32Array).set(old.instanceColor!.array);
    this.parent.remove(old);
    old.dispose();
  }
  end(): void {
    this.mesh.count = this.used;
    this.mesh.visible = this.used > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

/** Arrows from a point along a vector; `thick` is the radius of their shafts. */
export class Arrows {
  private shafts: Swarm;
  private heads: Swarm;
  private turn = new Quaternion();
  private matrix = new Matrix4();

  constructor(parent: Group, order = 3, material: Material = new MeshBasicMaterial({ depthTest: false, transparent: true })) {
    this.shafts = new Swarm(parent, new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5), material, order);
    this.heads = new Swarm(parent, new ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, -0.5), material, order);
  }
  begin(): void {
    this.shafts.begin();
    this.heads.begin();
  }
  add(from: Vector3, along: Vector3, thick: number, color: Color, head = true): void {
    const length = along.length();
    if (!(length > 1e-12) || !Number.isFinite(length)) return;
    const way = along.clone().divideScalar(length);
    this.turn.setFromUnitVectors(Z, way);
    const tip = head ? Math.min(6 * thick, 0.6 * length) : 0;
    this.shafts.add(this.matrix.compose(from, this.turn, new Vector3(thick, thick, length - 0.9 * tip)), color);
    if (head) this.heads.add(this.matrix.compose(from.clone().addScaledVector(way, length), this.turn, new Vector3(0.42 * tip, 0.42 * tip, tip)), color);
  }
  end(): void {
    this.shafts.end();
    this.heads.end();
  }
}
