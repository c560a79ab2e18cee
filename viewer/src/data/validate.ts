import type { PageJson, RunJson } from "./format";

const NEEDED = ["time", "position", "orientation"];

function isObject(x: unknown): x is Record<string, unknown> {
  return typeof x === "object" && x !== null && !Array.isArray(x);
}

function checkRun(run: unknown, where: string): void {
  if (!isObject(run)) throw new Error(`${where} is not an object`);
  for (const key of ["bodies"]) {
    if (!Array.isArray(run[key])) throw new Error(`${where} has no list "${key}"`);
  }
  if (!isObject(run.arrays)) throw new Error(`${where} has no "arrays"`);
  for (const name of NEEDED) {
    if (!isObject(run.arrays[name])) throw new Error(`${where} has no array "${name}"`);
  }
}

/** The outer form alone; arrays are checked as they are decoded. */
export function checkPage(data: unknown): PageJson {
  if (!isObject(data)) throw new Error("the page's data is not a JSON object");
  if (data.format !== 1) {
    throw new Error(`the data has format ${JSON.stringify(data.format)}; this page reads format 1. Write the page again with the program that made the run`);
  }
  if (!Array.isArray(data.runs) || data.runs.length === 0) throw new Error("the data holds no run");
  (data.runs as RunJson[]).forEach((run, i) => checkRun(run, `run ${i + 1}`));
  return data as unknown as PageJson;
}
