import { NOISE } from "./scale";
import type { Chart } from "./series";

/** Where a logarithmic plot draws what is smaller; null where all of it is small. Zeros are left out. */
export function floorOf(series: Chart["series"]): number | null {
  return series.some((s) => s.values.some((y) => y > NOISE)) ? NOISE / 10 : null;
}

/** One column of times for all series, with holes where a series has no value: what uPlot and a CSV file want. */
export function joined(chart: Chart): { x: Float64Array; columns: (number | null)[][] } {
  const { series } = chart;
  const floor = chart.log ? floorOf(series) : null;
  const value = (y: number) => {
    if (!Number.isFinite(y) || (chart.log && !(y > 0))) return null;
    return floor === null ? y : Math.max(y, floor);
  };
  const shared = series.every((s) => s.time === series[0].time || (s.time.length === series[0].time.length && s.time.every((t, i) => t === series[0].time[i])));
  if (series.length === 0) return { x: new Float64Array(0), columns: [] };
  if (shared) return { x: series[0].time, columns: series.map((s) => Array.from(s.values, value)) };
  const x = Float64Array.from(new Set(series.flatMap((s) => Array.from(s.time)))).sort();
  const columns = series.map((s) => {
    const column = new Array<number | null>(x.length).fill(null);
    let i = 0;
    s.time.forEach((t, k) => {
      while (x[i] < t) ++i;
      column[i] = value(s.values[k]);
    });
    return column;
  });
  return { x, columns };
}

function quoted(text: string): string {
  // A spreadsheet must not take a name for a formula.
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** All digits; log charts keep their zeros here. */
export function csvOf(chart: Chart): string {
  const { x, columns } = joined({ ...chart, log: false });
  const head = ["time [s]", ...chart.series.map((s) => (chart.unit ? `${s.label} [${chart.unit}]` : s.label))];
  const lines = Array.from(x, (t, i) => [t, ...columns.map((c) => c[i] ?? "")].join(","));
  return `${head.map(quoted).join(",")}\n${lines.join("\n")}\n`;
}
