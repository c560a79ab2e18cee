/** Smaller numbers than this, and smaller changes of a number, are rounding. */
const ZERO = 1e-20;
const ROUNDING = 1e-12;

/** A line that never changes lies in the middle, not on the edge. */
export function room(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const span = high - low;
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (size < ZERO) return [-1, 1];
  if (span <= ROUNDING * size) return [low - 0.1 * size, low + 0.1 * size];
  const margin = 0.06 * span;
  return [low === 0 ? 0 : low - margin, high + margin];
}

/** Below this a residual is rounding; decades of it would hide the rest. */
export const NOISE = 1e-18;

/** Whole powers of ten with one to spare on both sides. */
export function decades(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(low > 0)) return [1e-16, 1];
  return [10 ** (Math.floor(Math.log10(high > NOISE ? Math.max(low, NOISE) : low)) - 1), 10 ** (Math.ceil(Math.log10(high)) + 1)];
}

/** At most six lines, all of them powers of ten. */
export function powers(_u: unknown, _axis: number, low: number, high: number): number[] {
  const [first, last] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const by = Math.max(1, Math.ceil((last - first) / 5));
  return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, i) => 10 ** (first + i * by));
}

export function tick(v: number): string {
  const size = Math.abs(v);
  if (v === 0) return "0";
  return size >= 1e5 || size < 1e-3 ? v.toExponential(Math.abs(Math.log10(size) - Math.round(Math.log10(size))) < 1e-9 ? 0 : 1).replace("e+", "e") : String(Number(v.toPrecision(6)));
}
