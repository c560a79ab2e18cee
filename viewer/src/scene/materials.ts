import { DoubleSide, type Material, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial } from "three";

export type Style = "solid" | "ghost" | "second";

/** World units a pixel is wide, shared by every flat material. */
export const pixel = { value: 0.01 };

const OPACITY: Record<Style, number> = { solid: 1, ghost: 0.16, second: 0.45 };

function see(style: Style) {
  const behind = style !== "solid"; // where surfaces coincide the solid one is seen
  return { transparent: behind, opacity: OPACITY[style], depthWrite: !behind, polygonOffset: behind, polygonOffsetFactor: 2, polygonOffsetUnits: 8 };
}

export function solidMaterial(style: Style, crowd: boolean): Material {
  const common = { vertexColors: true, ...see(style) };
  return crowd ? new MeshLambertMaterial(common) : new MeshStandardMaterial({ ...common, roughness: 0.62, metalness: 0 });
}

export function fillMaterial(style: Style): Material {
  return new MeshBasicMaterial({ ...see(style), side: DoubleSide });
}

/** Moves the inner edge of the band inwards by `width` pixels, whatever the scale of the instance. */
export function edgeMaterial(style: Style, width: number): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ ...see(style), side: DoubleSide });
  if (style !== "solid") material.opacity = Math.min(1, 2 * material.opacity);
  material.onBeforeCompile = (shader) => {
    shader.uniforms.uPixel = pixel;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec2 inset;\nuniform float uPixel;")
      .replace("#include <begin_vertex>", `#include <begin_vertex>
        vec2 size = vec2(length(instanceMatrix[0].xyz), length(instanceMatrix[1].xyz));
        transformed.xy += inset * uPixel * ${width.toFixed(1)} / max(size, vec2(1e-12));`);
  };
  return material;
}
