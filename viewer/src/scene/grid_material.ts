import { Color, DoubleSide, FrontSide, MeshLambertMaterial, Vector3 } from "three";
import type { Palette } from "./palette";

/** Metres between two thin lines of every grid; ten of them make a strong one. */
export const gridStep = { value: 0.1 };

export interface GridLook {
  /** Directions in the plane along which lines are counted. */
  u: Vector3;
  v: Vector3;
  center: Vector3;
  radius: number;
  /** 0: lines alone, 1: a solid floor. */
  fill: number;
  /** For the flat view: no light on it. */
  lit: boolean;
}

const HEAD = `
uniform vec3 uU, uV, uCenter, uLine, uStrong;
uniform float uRadius, uFill, uStep;
varying vec3 vPlace;
float lines(vec2 at, float pitch, float width) {
  vec2 x = at / pitch;
  vec2 wide = fwidth(x);
  vec2 near = abs(fract(x - 0.5) - 0.5) / max(wide, vec2(1e-9));
  vec2 hit = (1.0 - smoothstep(width - 0.5, width + 0.5, near)) * clamp(1.5 - 4.0 * wide, 0.0, 1.0);
  return max(hit.x, hit.y);
}`;

const BODY = `
vec2 at = vec2(dot(vPlace, uU), dot(vPlace, uV));
float thin = lines(at, uStep, 0.5);
float strong = lines(at, 10.0 * uStep, 0.6);
float fade = 1.0 - smoothstep(0.45, 1.0, distance(vPlace, uCenter) / uRadius);
float line = max(0.75 * thin, strong);
diffuseColor.rgb = mix(diffuseColor.rgb, mix(uLine, uStrong, strong), line);
diffuseColor.a = max(uFill, line) * fade;
if (diffuseColor.a < 0.004) discard;`;

export interface GridMaterial {
  material: MeshLambertMaterial;
  paint: (palette: Palette) => void;
}

/** A plane with lines that stay a pixel wide and fade out with distance; it takes shadows. */
export function gridMaterial(look: GridLook): GridMaterial {
  const uniforms = {
    uU: { value: look.u }, uV: { value: look.v }, uCenter: { value: look.center }, uRadius: { value: look.radius },
    uFill: { value: look.fill }, uStep: gridStep, uLine: { value: new Color() }, uStrong: { value: new Color() },
  };
  const material = new MeshLambertMaterial({ transparent: true, side: look.fill > 0 && look.lit ? FrontSide : DoubleSide, depthWrite: look.fill > 0 && look.lit });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vPlace;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvPlace = (modelMatrix * vec4(transformed, 1.0)).xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>${HEAD}`)
      .replace("#include <color_fragment>", `#include <color_fragment>${BODY}`);
    if (!look.lit) {
      shader.fragmentShader = shader.fragmentShader.replace("#include <opaque_fragment>", "outgoingLight = diffuseColor.rgb;\n#include <opaque_fragment>");
    }
  };
  material.customProgramCacheKey = () => `grid ${look.lit}`;
  const paint = (palette: Palette) => {
    material.color.set(palette.floor);
    uniforms.uLine.value.set(palette.line);
    uniforms.uStrong.value.set(palette.lineStrong);
  };
  return { material, paint };
}

/** 1, 2 or 5 times a power of ten. */
export function niceStep(about: number): number {
  if (!(about > 0) || !Number.isFinite(about)) return 1;
  const power = 10 ** Math.floor(Math.log10(about));
  const lead = about / power;
  return (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10) * power;
}
