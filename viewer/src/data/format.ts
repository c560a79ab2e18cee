/** What a page holds: the JSON that the program writes into it, version 1. */

export type ElementType = "f64" | "f32" | "i32" | "u32" | "u16" | "i16" | "u8";

export interface ArrayJson {
  type: ElementType;
  shape: number[];
  /** Base64 of zlib-deflated little-endian bytes. */
  data: string;
  /** value = offset + scale * raw; of length 1 or of the last dimension. */
  offset?: number[];
  scale?: number[];
  /** Each row along the first axis is the difference to the row before, modulo 2^bits. */
  delta?: boolean;
  /** Bytes of all elements transposed, as HDF5's shuffle filter. */
  shuffle?: boolean;
}

export type Triple = [number, number, number];
/** w, x, y, z */
export type Quaternion = [number, number, number, number];

export interface ShapeJson {
  type: string;
  name?: string;
  position?: Triple;
  orientation?: Quaternion;
  radius?: number;
  length?: number;
  height?: number;
  axis?: Triple;
  size?: Triple;
  radii?: Triple;
  normal?: Triple;
  offset?: number;
  points?: number[][];
  faces?: number[][];
}

export interface BodyJson {
  name: string;
  motion: string;
  mass?: number | null;
  shapes: ShapeJson[];
  /** Row in the arrays, null for what stands still. */
  index: number | null;
  pose?: { position: Triple; orientation: Quaternion };
}

export interface EventJson {
  time: number;
  kind: string;
  contact: string;
  step?: number;
}

export interface ContactJson {
  name: string;
  mu: number | null;
}

export interface JointJson {
  name: string;
  type: string;
  /** Names; "" or null is the world. Reactions are those on the second. */
  bodies: (string | number | null)[];
  /** Where it holds each of them, in that body's own frame. */
  anchors?: (Triple | null)[];
  /** In the first body's frame. */
  axis?: Triple;
  /** Of a rope. */
  length?: number;
}

export interface SpringJson {
  name: string;
  bodies: (string | number | null)[];
  anchors: (Triple | null)[];
  stiffness: number;
  damping: number;
  /** At rest. */
  length: number;
}

export type Status = "done" | "running" | "interrupted" | "failed" | "not_certified";

export interface RunJson {
  label: string;
  status: Status;
  summary?: Record<string, unknown>;
  fingerprint?: string;
  versions?: Record<string, string>;
  scene?: string;
  planar?: boolean;
  gravity?: Triple;
  bodies: BodyJson[];
  joints?: JointJson[];
  springs?: SpringJson[];
  contacts?: ContactJson[];
  solvers?: string[];
  events?: EventJson[];
  arrays: Record<string, ArrayJson>;
}

export interface PageJson {
  format: number;
  runs: RunJson[];
}
