import type { File as H5File } from "h5wasm/node";
import * as h5 from "h5wasm/node";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../synthetic/page";
import { launch, open, shown } from "./browser";

/** The program whose page is looked at: the one STICTION names, or the one that was built here. */
const program = process.env.STICTION ?? ["../build/release/stiction", "../build/dev/stiction"].map((p) => join(ROOT, p)).find(existsSync);
const folder = mkdtempSync(join(tmpdir(), "stiction-page-"));
const scene = join(ROOT, "../scenes/papers/four_balls.json");

function run(out: string, ...more: string[]): boolean {
  if (!program) return false;
  spawnSync(program, ["run", scene, "--out", join(folder, out), "--quiet", ...more], { stdio: "inherit" });
  return existsSync(join(folder, out, "replay.html"));
}
const there = run("four_balls");
if (!there) console.log("the page of a run is not tested: no program that writes one (build it, or name it in STICTION)");

describe.skipIf(!there)("the page that the program writes", () => {
  let browser: Browser;
  let record: H5File;
  beforeAll(async () => {
    await h5.ready;
    record = new h5.File(join(folder, "four_balls/run.h5"), "r");
    browser = await launch();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  const numbers = (path: string) => Array.from((record.get(path) as h5.Dataset).value as ArrayLike<number>);
  /** What six digits can tell apart. */
  const near = (x: number) => Math.max(Math.abs(x) * 6e-6, 1e-15);

  it("shows the numbers of run.h5", async () => {
    const { page, clean } = await open(browser, pathToFileURL(join(folder, "four_balls/replay.html")).href);
    const times = numbers("frames/time");
    const names = (record.get("bodies/name") as h5.Dataset).value as string[];
    for (const frame of [0, 120, 171, 240, times.length - 1]) for (const [b, name] of names.entries()) {
      await page.evaluate(([t, body]) => {
        window.stiction.setTime(t as number);
        const { state } = window.stiction;
        state!.selectBody(state!.first.bodies.find((x) => x.name === body)!.id);
      }, [times[frame], name]);
      for (const key of ["position", "velocity", "angular_velocity"]) for (let k = 0; k < 3; ++k) {
        const expected = numbers(`frames/${key}`)[(frame * names.length + b) * 3 + k];
        expect(Math.abs((await shown(page, `${key}.${k}`)) - expected), `${name} ${key} ${k} at frame ${frame}`).toBeLessThanOrEqual(near(expected));
      }
    }
    const step = 200;
    await page.evaluate((t) => window.stiction.setTime(t), numbers("steps/time")[step]);
    const residual = numbers("steps/residual")[step];
    expect(Math.abs((await shown(page, "step.residual")) - residual)).toBeLessThanOrEqual(6e-3 * residual);
    expect(await shown(page, "step.contacts")).toBe(numbers("steps/contacts")[step]);
    await clean();
  });

  it("shows the impulses of run.h5, and goes to its events", async () => {
    const { page, clean } = await open(browser, pathToFileURL(join(folder, "four_balls/replay.html")).href);
    const starts = numbers("contacts/start");
    const frame = starts.findIndex((s, f) => starts[f + 1] - s >= 4);
    await page.evaluate((t) => window.stiction.setTime(t), numbers("frames/time")[frame]);
    const expected = Array.from({ length: starts[frame + 1] - starts[frame] }, (_, i) => Math.hypot(...numbers("contacts/impulse").slice(3 * (starts[frame] + i), 3 * (starts[frame] + i) + 3))).sort((a, b) => b - a);
    const texts = await page.getByTestId("contacts").locator(".number").allTextContents();
    expect(texts.length).toBe(expected.length);
    texts.forEach((text, i) => expect(Math.abs(parseFloat(text) - expected[i])).toBeLessThanOrEqual(6e-3 * expected[i]));
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+ArrowRight");
    expect(await page.evaluate(() => window.stiction.state!.player.t)).toBe(Math.min(...numbers("events/time")));
    await page.keyboard.press("c");
    await clean();
  });

  it("is no larger than 1.5 MB", () => {
    const bytes = statSync(join(folder, "four_balls/replay.html")).size;
    console.log(`page of four_balls: ${(bytes / 1000).toFixed(0)} kB`);
    expect(bytes).toBeLessThanOrEqual(1_500_000);
  });
});
