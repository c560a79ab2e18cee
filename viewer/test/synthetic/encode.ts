import { deflateSync } from "node:zlib";
import type { ArrayJson, ElementType } from "../../src/data/format";

export interface Packing {
  type?: ElementType;
  /** Offset and scale are found from the values, per last dimension or (one) for all. */
  quantise?: "last" | "one";
  delta?: boolean;
  shuffle?: boolean;
}

const KINDS = {
  f64: Float64Array, f32: Float32Array, i32: Int32Array, u32: Uint32Array, i16: Int16Array, u16: Uint16Array, u8: Uint8Array,
} as const;
const RANGE: Record<string, [number, number]> = {
  i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1], i16: [-32768, 32767], u16: [0, 65535], u8: [0, 255],
};

function fit(values: number[], last: number, type: ElementType, per: "last" | "one"): { offset: number[]; scale: number[] } {
  const groups = per === "last" ? last : 1;
  const low = new Array<number>(groups).fill(Infinity);
  const high = new Array<number>(groups).fill(-Infinity);
  values.forEach((x, i) => {
    low[i % groups] = Math.min(low[i % groups], x);
    high[i % groups] = Math.max(high[i % groups], x);
  });
  const [from, to] = RANGE[type];
  const scale = low.map((a, k) => (high[k] > a ? (high[k] - a) / (to - from) : 1));
  return { scale, offset: low.map((a, k) => a - scale[k] * from) };
}

/** The slow, plain twin of decode.ts. */
export function encode(values: number[], shape: number[], packing: Packing = {}): ArrayJson {
  const type = packing.type ?? "f64";
  const out: ArrayJson = { type, shape, data: "" };
  let numbers = values;
  if (packing.quantise) {
    const { offset, scale } = fit(values, shape[shape.length - 1], type, packing.quantise);
    out.offset = offset;
    out.scale = scale;
    numbers = values.map((x, i) => Math.round((x - offset[i % offset.length]) / scale[i % scale.length]));
  }
  if (packing.delta) {
    const row = values.length / shape[0];
    numbers = numbers.map((x, i) => (i < row ? x : x - numbers[i - row]));
    out.delta = true;
  }
  const typed = KINDS[type].from(numbers as never) as InstanceType<(typeof KINDS)["f64"]>;
  let bytes = Buffer.from(typed.buffer, typed.byteOffset, typed.byteLength);
  if (packing.shuffle) {
    const size = typed.BYTES_PER_ELEMENT;
    const count = typed.length;
    bytes = Buffer.from(Uint8Array.from({ length: bytes.length }, (_, i) => bytes[(i % count) * size + Math.floor(i / count)]));
    out.shuffle = true;
  }
  out.data = deflateSync(bytes).toString("base64");
  return out;
}
