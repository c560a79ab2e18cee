import type { Browser } from "playwright-core";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunJson } from "../../src/data/format";
import { Run } from "../../src/data/run";
import { encode } from "../synthetic/encode";
import { OUT, pageOf, TEMPLATE, writePage } from "../synthetic/page";
import { bouncing, crowd } from "../synthetic/runs";
import { launch, open } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const EVIL = ['<img src=x onerror="window.hacked=1">', '"><script>window.hacked=1</script>', "</script><script>window.hacked=1//", "🎱 'ball' & \"quotes\" \u2028 ${1+1} javascript:alert(1)"];

it("names and scene text are text: nothing executes", async () => {
  const scene = `${EVIL.join("\n")}\n<!-- <script> -->`;
  const { page, clean } = await open(browser, writePage("hostile", [bouncing(EVIL[1], 0.7, { names: EVIL.slice(0, 3), scene })]) + "#layers=contacts");
  expect(await page.locator("[data-body] .clip").allTextContents()).toEqual(["floor", ...EVIL.slice(0, 3), "turntable"]);
  await page.locator("[data-body]").nth(1).click();
  expect(await page.getByTestId("body-card").locator("h2").textContent()).toBe(EVIL[0]);
  await page.getByRole("tab", { name: "Events" }).click();
  await page.getByRole("button", { name: "About this run" }).click();
  expect(await page.locator("pre.scene").textContent()).toBe(scene);
  await page.keyboard.press("Escape");
  await page.getByTestId("worst").click();
  expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined();
  await clean();
});

it("with emoji", async () => {
  const { page, clean } = await open(browser, writePage("emoji", [bouncing(EVIL[3], 0.7, { names: [EVIL[3], "b", "c"] })]));
  expect(await page.locator("[data-body] .clip").nth(1).textContent()).toBe(EVIL[3]);
  await clean();
});

describe("what is wrong is said in the page", () => {
  const write = (name: string, text: string) => {
    mkdirSync(OUT, { recursive: true });
    writeFileSync(join(OUT, `${name}.html`), text);
    return pathToFileURL(join(OUT, `${name}.html`)).href;
  };
  const broken = (change: (run: RunJson) => void) => {
    const run = bouncing();
    change(run);
    return pageOf([run]);
  };
  const cases: [string, () => string, RegExp][] = [
    ["the empty template", () => readFileSync(TEMPLATE, "utf8"), /empty template/],
    ["another format", () => pageOf([]).replace('"format":1', '"format":7'), /format 7/],
    ["a cut file", () => pageOf([bouncing()]).replace(/"arrays":.{100}/, '"arrays":'), /not whole/],
    ["a damaged array", () => broken((run) => { run.arrays.position.data = "AAAAAAAA"; }), /array "position"/],
    ["a missing array", () => broken((run) => { delete run.arrays.orientation; }), /no array "orientation"/],
    ["arrays that do not fit", () => broken((run) => { run.arrays.velocity = encode([1, 2, 3], [1, 1, 3]); }), /"velocity" has 1 frames/],
  ];
  for (const [i, [what, make, message]] of cases.entries()) {
    it(what, async () => {
      const { page } = await open(browser, write(`wrong_${i}`, make()));
      expect(await page.locator(".error").first().textContent()).toMatch(message);
      await page.context().close();
    });
  }
  it("an exception and a rejected promise", async () => {
    const { page } = await open(browser, writePage("throws", [bouncing()]));
    await page.evaluate(() => {
      setTimeout(() => { throw new Error("thrown on purpose"); });
      void Promise.reject(new Error("rejected on purpose"));
    });
    await page.waitForFunction(() => document.querySelectorAll(".error").length === 2);
    expect(await page.locator("#errors").textContent()).toMatch(/thrown on purpose.*rejected on purpose|rejected on purpose.*thrown on purpose/s);
    await page.context().close();
  });
});

it("without WebGL: a message, and everything else works", async () => {
  const blind = await launch("--disable-3d-apis");
  const { page } = await open(blind, writePage("blind", [bouncing()]));
  expect(await page.locator(".no-picture").textContent()).toContain("no WebGL");
  await page.getByRole("button", { name: "Next event" }).click();
  expect(await page.locator('[data-plot="energy"] .u-over').count()).toBe(1);
  expect(await page.locator('[data-value="step.certified"]').textContent()).toBe("certified");
  await blind.close();
});

it("a served run grows while it goes on", async () => {
  const whole = await Run.from(bouncing());
  let known = 100;
  const part = (from: number): RunJson => {
    const json = bouncing();
    const [c0] = whole.contacts.range(from);
    const c1 = known >= 301 ? whole.contacts.records : whole.contacts.range(known)[0];
    for (const [name, field] of whole.fields) {
      const [a, b] = name.startsWith("step.") ? [Math.max(from - 1, 0), known - 1] : name.startsWith("contact.") ? [c0, c1] : [from, known];
      if (name.startsWith("not.")) delete json.arrays[name];
      else json.arrays[name] = encode(Array.from({ length: (b - a) * field.width }, (_, i) => field.at(a * field.width + i)), field.width > 1 ? [b - a, field.width] : [b - a]);
    }
    const starts = Array.from({ length: known - from + 1 }, (_, i) => (from + i >= 301 ? whole.contacts.records : whole.contacts.range(from + i)[0]) - c0);
    json.arrays["contact.start"] = encode(starts, [starts.length]);
    return { ...json, status: known >= 301 ? "done" : "running" };
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname === "/data") response.end(JSON.stringify({ format: 1, runs: [part(Number(url.searchParams.get("from") ?? 0))] }));
    else response.setHeader("content-type", "text/html").end(readFileSync(TEMPLATE));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { page, faults } = await open(browser, address);
  expect(await page.evaluate(() => window.stiction.state!.first.frames)).toBe(100);
  expect(await page.getByTestId("verdict").textContent()).toContain("Running");
  await page.getByRole("button", { name: "Live" }).click();
  known = 250;
  await page.waitForFunction(() => window.stiction.state!.first.frames === 250);
  expect(await page.evaluate(() => window.stiction.state!.player.t)).toBeCloseTo(2.49, 9);
  known = 301;
  await page.waitForFunction(() => window.stiction.state!.first.status === "done");
  expect(await page.getByTestId("verdict").locator(".long").textContent()).toBe("All 300 steps certified");
  expect(faults).toEqual([]);
  await page.context().close();
  server.close();
});

it("as `stiction render` drives it: no page around the picture, a picture for each time", async () => {
  const address = writePage("render", [bouncing()]);
  const { page, clean } = await open(browser, `${address}?render=1#t=1.5`, { viewport: { width: 640, height: 360 } });
  expect(await page.evaluate(() => window.stiction.state!.player.t)).toBe(1.5);
  expect(await page.locator(".bar").isVisible()).toBe(false);
  expect(await page.locator(".scene-canvas").boundingBox()).toEqual({ x: 0, y: 0, width: 640, height: 360 });
  const pictures = await page.evaluate(async () => {
    const out: string[] = [];
    for (const t of [0, 0.4, 0.8]) {
      window.stiction.setTime(t);
      await window.stiction.renderFrame();
      out.push(window.stiction.capture("image/jpeg", 0.9));
    }
    return out;
  });
  expect(new Set(pictures).size).toBe(3);
  expect(await page.evaluate(() => window.stiction.duration)).toBeCloseTo(3, 12);
  await clean();
});

it("on a phone of 360 pixels: nothing sticks out, no text below 12 pixels", async () => {
  const { page, clean } = await open(browser, writePage("phone", [bouncing()]), { viewport: { width: 1280, height: 800 }, hasTouch: true });
  await page.setViewportSize({ width: 360, height: 740 });
  for (const tab of ["Bodies", "Details", "Plots"]) {
    await page.locator(".tabs").getByRole("tab", { name: tab }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const small = await page.evaluate(() => [...document.querySelectorAll("body *")].filter((e) => {
      const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.textContent!.trim() !== "");
      return own && e.getClientRects().length > 0 && parseFloat(getComputedStyle(e).fontSize) < 12;
    }).map((e) => e.outerHTML.slice(0, 80)));
    expect(small).toEqual([]);
  }
  const box = (await page.locator(".scene-canvas").boundingBox())!;
  expect(box.width).toBe(360);
  expect(box.height).toBeGreaterThan(180);
  await page.getByTestId("play").tap();
  await page.waitForFunction(() => window.stiction.state!.player.t > 0.02);
  await clean();
});

it("sizes and the time of a frame are printed", async () => {
  const bytes = statSync(TEMPLATE).size;
  console.log(`empty page: ${(bytes / 1000).toFixed(1)} kB`);
  expect(bytes).toBeLessThanOrEqual(800_000);
  const address = writePage("crowd", [crowd(10_000, 11)]);
  const { page, clean } = await open(browser, address, { viewport: { width: 800, height: 600 } });
  const frames = await page.evaluate(() => window.stiction.measure(6).slice(1));
  const middle = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
  console.log(`10,000 spheres: ${middle(frames.map((f) => f.script)).toFixed(1)} ms a frame in the page's script, ${middle(frames.map((f) => f.whole)).toFixed(0)} ms with drawing in software`);
  await clean();
});
