import { type BufferGeometry, BufferAttribute, type Material, Matrix4, MeshDepthMaterial, MeshLambertMaterial, PlaneGeometry, type Raycaster, Sphere, Vector3, type WebGLProgramParametersWithUniforms } from "three";
import type { Style } from "./materials";

/**
 * Balls in their thousands: two triangles each, turned to the eye, on which the ball is computed. Two million small triangles of
 * real balls are what an ordinary graphics chip, and a machine without one, cannot draw thirty times a second.
 */
const VERTEX = `
varying vec2 vCorner;
varying vec3 vSide, vAbove, vFacing, vAxisX, vAxisY, vAxisZ;`;

const PLACE = `
mat4 toEye = modelViewMatrix * instanceMatrix;
float radius = length(instanceMatrix[0].xyz);
vec3 middle = toEye[3].xyz;
vFacing = isPerspectiveMatrix(projectionMatrix) ? normalize(-middle) : vec3(0.0, 0.0, 1.0);
vSide = normalize(cross(vec3(0.0, 1.0, 0.0), vFacing));
vAbove = cross(vFacing, vSide);
vAxisX = toEye[0].xyz / max(radius, 1e-12);
vAxisY = toEye[1].xyz / max(radius, 1e-12);
vAxisZ = toEye[2].xyz / max(radius, 1e-12);
vCorner = 1.02 * position.xy;
vec4 mvPosition = vec4(middle + radius * (vCorner.x * vSide + vCorner.y * vAbove), 1.0);
gl_Position = projectionMatrix * mvPosition;`;

const ROUND = `
float square = dot(vCorner, vCorner);
if (square > 1.0) discard;
vec3 ball = vCorner.x * vSide + vCorner.y * vAbove + sqrt(1.0 - square) * vFacing;`;

const TONE = `
vec3 own = vec3(dot(vAxisX, ball), dot(vAxisY, ball), dot(vAxisZ, ball));
diffuseColor.rgb *= own.x * own.y * own.z > 0.0 ? 1.0 : 0.7;`;

function bend(shader: WebGLProgramParametersWithUniforms, lit: boolean): void {
  shader.vertexShader = shader.vertexShader.replace("#include <common>", `#include <common>${VERTEX}`).replace("#include <project_vertex>", PLACE);
  shader.fragmentShader = shader.fragmentShader
    .replace("#include <common>", `#include <common>${VERTEX}`)
    .replace("#include <clipping_planes_fragment>", `#include <clipping_planes_fragment>${ROUND}`);
  if (lit) shader.fragmentShader = shader.fragmentShader
    .replace("#include <color_fragment>", `#include <color_fragment>${TONE}`)
    .replace("#include <normal_fragment_begin>", "vec3 normal = ball;\nvec3 nonPerturbedNormal = normal;");
}

export function impostorGeometry(): BufferGeometry {
  const geometry = new PlaneGeometry(2, 2);
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(12).fill(1), 3));
  return geometry;
}

export function impostorMaterial(style: Style): Material {
  const seen = style !== "solid";
  const material = new MeshLambertMaterial({ vertexColors: true, transparent: seen, opacity: seen ? 0.4 : 1, depthWrite: !seen });
  material.onBeforeCompile = (shader) => bend(shader, true);
  material.customProgramCacheKey = () => "ball";
  return material;
}

/** For shadows: the same ball seen from the light. */
export function impostorDepth(): MeshDepthMaterial {
  const material = new MeshDepthMaterial();
  material.onBeforeCompile = (shader) => bend(shader, false);
  material.customProgramCacheKey = () => "ball depth";
  return material;
}

/** Which ball the ray meets first, and where. */
export function pickBall(matrices: Float32Array, count: number, ray: Raycaster): { instance: number; distance: number } | null {
  const ball = new Sphere();
  const matrix = new Matrix4();
  const at = new Vector3();
  let best: { instance: number; distance: number } | null = null;
  for (let i = 0; i < count; ++i) {
    matrix.fromArray(matrices, 16 * i);
    ball.center.setFromMatrixPosition(matrix);
    ball.radius = Math.hypot(matrix.elements[0], matrix.elements[1], matrix.elements[2]);
    if (ball.radius === 0 || !ray.ray.intersectSphere(ball, at)) continue;
    const distance = at.distanceTo(ray.ray.origin);
    if (!best || distance < best.distance) best = { instance: i, distance };
  }
  return best;
}
