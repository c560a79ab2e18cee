export type Raw = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Uint8Array;

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.prototype.every.call(a, (x, i) => x === b[i]);
}

/** A table of numbers as it came: quantised ones stay small, `at` gives their values. */
export class Field {
  /** Along the first axis. */
  rows: number;
  /** Numbers in a row. */
  readonly width: number;
  /** How many offsets and scales take turns: 1, or the last dimension. */
  private readonly last: number;
  private raw: Raw;
  private offset: Float64Array;
  private scale: Float64Array;
  private plain: boolean;

  constructor(raw: Raw, shape: number[], offset?: number[], scale?: number[]) {
    this.raw = raw;
    this.rows = shape[0];
    this.last = Math.max(offset?.length ?? 1, scale?.length ?? 1);
    this.width = shape.slice(1).reduce((a, b) => a * b, 1);
    const wide = (list: number[] | undefined, fallback: number) =>
      Float64Array.from({ length: this.last }, (_, i) => (list ? list[list.length === 1 ? 0 : i] : fallback));
    this.offset = wide(offset, 0);
    this.scale = wide(scale, 1);
    this.plain = !offset && !scale;
  }

  at(i: number): number {
    if (this.plain) return this.raw[i];
    const k = i % this.last;
    return this.offset[k] + this.scale[k] * this.raw[i];
  }

  /** `count` values from `i` on, where i is a multiple of the last dimension. */
  read(i: number, count: number, out: Float64Array | Float32Array, to = 0): void {
    const { raw, offset, scale, last } = this;
    if (this.plain) for (let k = 0; k < count; ++k) out[to + k] = raw[i + k];
    else for (let k = 0, c = 0; k < count; ++k, ++c) {
      if (c === last) c = 0;
      out[to + k] = offset[c] + scale[c] * raw[i + k];
    }
  }

  row(r: number): Float64Array {
    const out = new Float64Array(this.width);
    this.read(r * this.width, this.width, out);
    return out;
  }

  /** All values of one column, for plots. */
  column(c = 0): Float64Array {
    const out = new Float64Array(this.rows);
    for (let r = 0; r < this.rows; ++r) out[r] = this.at(r * this.width + c);
    return out;
  }

  /** Rows from..rows-1 of `more` behind these. Tables quantised otherwise become plain numbers. */
  append(more: Field, from = 0): void {
    if (more.width !== this.width) throw new Error(`rows of ${more.width} numbers do not fit behind rows of ${this.width}`);
    const used = this.rows * this.width;
    const added = Math.max(0, more.rows - from) * this.width;
    const alike = this.raw.constructor === more.raw.constructor && same(this.offset, more.offset) && same(this.scale, more.scale);
    if (!alike && !(this.plain && this.raw instanceof Float64Array)) this.makePlain(used);
    this.reserve(used + added, used);
    for (let k = 0; k < added; ++k) {
      this.raw[used + k] = alike ? more.raw[from * this.width + k] : more.at(from * this.width + k);
    }
    this.rows += added / Math.max(1, this.width);
  }

  private makePlain(used: number): void {
    const values = new Float64Array(used);
    this.read(0, used, values);
    this.raw = values;
    this.offset.fill(0);
    this.scale.fill(1);
    this.plain = true;
  }

  /** Doubles the room, so that a long live run is not copied each second. */
  private reserve(needed: number, used: number): void {
    if (needed <= this.raw.length) return;
    const Kind = this.raw.constructor as new (n: number) => Raw;
    const bigger = new Kind(Math.max(needed, 2 * this.raw.length));
    bigger.set(this.raw.subarray(0, used));
    this.raw = bigger;
  }
}
