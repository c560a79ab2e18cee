import { Color, DoubleSide, ShaderMaterial } from "three";
import { pixel } from "./materials";
import type { Palette } from "./palette";

export interface HatchMaterial {
  material: ShaderMaterial;
  paint: (palette: Palette) => void;
}

/** Solid ground in the flat view as engineers draw it: an edge and hatching behind it. `radius` 0 is a half-plane y <= 0. */
export function hatchMaterial(radius: number): HatchMaterial {
  const uniforms = { uPixel: pixel, uRadius: { value: radius }, uEdge: { value: new Color() }, uFill: { value: new Color() } };
  const material = new ShaderMaterial({
    uniforms, transparent: true, side: DoubleSide, depthWrite: false,
    vertexShader: `
      varying vec2 vAt;
      varying vec2 vWorld;
      void main() {
        vAt = position.xy;
        vec4 world = modelMatrix * vec4(position, 1.0);
        vWorld = world.xy;
        gl_Position = projectionMatrix * viewMatrix * world;
      }`,
    fragmentShader: `
      uniform float uPixel, uRadius;
      uniform vec3 uEdge, uFill;
      varying vec2 vAt, vWorld;
      void main() {
        float deep = (uRadius > 0.0 ? length(vAt) - uRadius : -vAt.y) / uPixel;
        if (deep < -0.5) discard;
        float edge = smoothstep(-0.5, 0.5, deep) * (1.0 - smoothstep(1.5, 2.5, deep));
        float stripe = abs(fract((vWorld.x + vWorld.y) / (9.0 * uPixel)) - 0.5) * 9.0;
        float hatch = (1.0 - smoothstep(0.4, 1.2, stripe)) * (1.0 - smoothstep(12.0, 16.0, deep)) * 0.55;
        float fill = uRadius > 0.0 ? 0.5 * (1.0 - smoothstep(12.0, 18.0, deep)) : 0.75;
        float line = max(edge, hatch);
        gl_FragColor = vec4(mix(uFill, uEdge, line), max(line, fill));
        #include <colorspace_fragment>
      }`,
  });
  const paint = (palette: Palette) => {
    uniforms.uEdge.value.set(palette.outline);
    uniforms.uFill.value.set(palette.floor).lerp(new Color(palette.still), 0.25);
  };
  return { material, paint };
}
