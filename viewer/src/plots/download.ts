import type { Chart } from "./series";
import { csvOf } from "./table";

export function fileName(title: string, ending: string): string {
  return `${title.toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_|_$/g, "") || "plot"}.${ending}`;
}

export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function downloadCsv(chart: Chart): void {
  download(fileName(chart.title, "csv"), new Blob([csvOf(chart)], { type: "text/csv" }));
}

/** The drawn plot with its title and the names of its lines. */
export function downloadPng(chart: Chart, plot: HTMLCanvasElement, colors: string[]): void {
  const ratio = window.devicePixelRatio || 1;
  const style = getComputedStyle(document.documentElement);
  const head = 52 * ratio;
  const canvas = document.createElement("canvas");
  canvas.width = plot.width;
  canvas.height = plot.height + head;
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("no canvas to draw the picture on");
  pen.fillStyle = style.getPropertyValue("--surface");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(plot, 0, head);
  pen.scale(ratio, ratio);
  pen.fillStyle = style.getPropertyValue("--text");
  pen.font = `600 14px ${style.getPropertyValue("--font")}`;
  pen.fillText(chart.unit ? `${chart.title} [${chart.unit}]` : chart.title, 12, 21);
  pen.font = `12px ${style.getPropertyValue("--font")}`;
  let x = 12;
  chart.series.forEach((s, i) => {
    pen.fillStyle = colors[i];
    pen.fillRect(x, 34, 12, 3);
    pen.fillStyle = style.getPropertyValue("--text");
    pen.fillText(s.label, x + 17, 40);
    x += 17 + pen.measureText(s.label).width + 16;
  });
  canvas.toBlob((blob) => {
    if (blob) download(fileName(chart.title, "png"), blob);
  });
}
