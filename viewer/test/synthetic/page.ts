import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RunJson } from "../../src/data/format";

const PLACE = '<script id="stiction-data" type="application/json">null</script>';
export const ROOT = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");

export const TEMPLATE = join(ROOT, "dist/template.html");
export const OUT = join(ROOT, "dist/test");

/** As the program does: the data in its place, nothing in it that could end the element. */
export function pageOf(runs: RunJson[]): string {
  const text = JSON.stringify({ format: 1, runs }).replace(/[<\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const [before, after] = readFileSync(TEMPLATE, "utf8").split(PLACE);
  if (after === undefined) throw new Error(`${TEMPLATE} has no place for data: npm run build`);
  return `${before}${PLACE.replace("null", () => text)}${after}`;
}

export function writePage(name: string, runs: RunJson[]): string {
  mkdirSync(OUT, { recursive: true });
  const file = join(OUT, `${name}.html`);
  writeFileSync(file, pageOf(runs));
  return pathToFileURL(file).href;
}
