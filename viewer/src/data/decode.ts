import { bytesOfBase64 } from "./base64";
import { Field, type Raw } from "./field";
import type { ArrayJson, ElementType } from "./format";

const MAKE: Record<ElementType, { size: number; view: (b: ArrayBuffer) => Raw }> = {
  f64: { size: 8, view: (b) => new Float64Array(b) },
  f32: { size: 4, view: (b) => new Float32Array(b) },
  i32: { size: 4, view: (b) => new Int32Array(b) },
  u32: { size: 4, view: (b) => new Uint32Array(b) },
  i16: { size: 2, view: (b) => new Int16Array(b) },
  u16: { size: 2, view: (b) => new Uint16Array(b) },
  u8: { size: 1, view: (b) => new Uint8Array(b) },
};

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("this browser cannot decompress (no DecompressionStream): use one from 2023 or later");
  }
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** All first bytes, then all second bytes, ... back to whole elements. */
function unshuffle(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const count = bytes.length / size;
  const out = new Uint8Array(bytes.length);
  for (let byte = 0; byte < size; ++byte) {
    const from = byte * count;
    for (let i = 0, to = byte; i < count; ++i, to += size) out[to] = bytes[from + i];
  }
  return out;
}

/** Rows from differences; typed arrays wrap modulo 2^bits by themselves. */
function undelta(raw: Raw, row: number): void {
  for (let i = row; i < raw.length; ++i) raw[i] += raw[i - row];
}

function check(array: ArrayJson): void {
  if (!Object.hasOwn(MAKE, array.type)) throw new Error(`unknown element type "${array.type}"`);
  if (!Array.isArray(array.shape) || array.shape.length === 0 || array.shape.some((n) => !Number.isInteger(n) || n < 0)) {
    throw new Error(`shape ${JSON.stringify(array.shape)} is not a list of sizes`);
  }
  const last = array.shape[array.shape.length - 1];
  for (const [key, list] of [["offset", array.offset], ["scale", array.scale]] as const) {
    if (list && list.length !== 1 && list.length !== last) {
      throw new Error(`"${key}" has ${list.length} numbers; 1 or ${last} are needed`);
    }
  }
  if (array.delta && (array.type === "f64" || array.type === "f32")) throw new Error("delta needs an integer type");
}

export async function decodeArray(name: string, array: ArrayJson): Promise<Field> {
  try {
    check(array);
    const { size, view } = MAKE[array.type];
    const count = array.shape.reduce((a, b) => a * b, 1);
    let bytes: Uint8Array<ArrayBuffer> = count === 0 && !array.data ? new Uint8Array(0) : await inflate(bytesOfBase64(array.data));
    if (bytes.length !== count * size) {
      throw new Error(`${bytes.length} bytes after decompression; the shape asks for ${count * size}`);
    }
    if (array.shuffle && size > 1) bytes = unshuffle(bytes, size);
    const raw = view(bytes.buffer);
    if (array.delta && array.shape[0] > 0) undelta(raw, count / array.shape[0]);
    return new Field(raw, array.shape, array.offset, array.scale);
  } catch (error) {
    throw new Error(`array "${name}": ${error instanceof Error ? error.message : String(error)}`);
  }
}
