/** As many digits as a person compares; the files have them all. */
export function digits(x: number | null | undefined, significant = 6): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "-∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 10 ** Math.max(6, significant)) return String(Number(x.toPrecision(significant)));
  return x.toExponential(significant - 1).replace(/\.?0+e/, "e").replace("e+", "e");
}

/** Parts that are rounding beside the largest one are 0. */
export function vector(parts: ArrayLike<number>, significant = 3): string {
  const largest = Array.from(parts, Math.abs).reduce((a, b) => Math.max(a, b), 0);
  return Array.from(parts, (x) => digits(Math.abs(x) < 1e-9 * largest ? 0 : x, significant)).join("  ");
}

/** Seconds with the decimals that frames of this length need. */
export function seconds(t: number, frame: number): string {
  const decimals = frame > 0 ? Math.min(6, Math.max(2, Math.ceil(-Math.log10(frame)) + 1)) : 3;
  return t.toFixed(decimals);
}

/** In the unit that suits `like`, so that numbers along an axis have one unit. */
export function metres(x: number, like = x): string {
  const size = Math.abs(like);
  const short = (v: number) => String(Number(v.toPrecision(4)));
  if (x === 0) return "0";
  if (size >= 1000) return `${short(x / 1000)} km`;
  if (size >= 0.1) return `${short(x)} m`;
  if (size >= 0.001) return `${short(x * 1000)} mm`;
  return `${short(x * 1e6)} µm`;
}

export function count(n: number, what: string): string {
  return `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;
}
