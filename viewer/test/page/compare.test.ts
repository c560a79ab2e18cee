import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writePage } from "../synthetic/page";
import { bouncing, planar } from "../synthetic/runs";
import { launch, open, shown } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

it("two runs: overlaid, side by side, alone, and their difference", async () => {
  const { page, clean } = await open(browser, writePage("compare", [bouncing("A run", 0.7), bouncing("B run", 0.5)]) + "#t=0.6&body=ball1");
  const pictures = new Set<string>();
  for (const layout of ["Overlay", "Side by side", "A", "B"]) {
    await page.getByRole("button", { name: layout, exact: true }).click();
    pictures.add(await page.evaluate(() => window.stiction.capture()));
  }
  expect(pictures.size).toBe(4);
  // After the first landing at t1 with speed v1 the heights differ by 0.2 v1 (t - t1).
  const t1 = Math.sqrt((2 * 1.05) / 9.81);
  expect(await shown(page, "difference")).toBeCloseTo(0.2 * 9.81 * t1 * (0.6 - t1), 5);
  await page.locator('[data-plot="difference"] select').selectOption("ball1");
  const value = Number(await page.locator('[data-plot="difference"] .plot-value').textContent());
  expect(value).toBeCloseTo(0.2 * 9.81 * t1 * (0.6 - t1), 4);
  expect(await page.getByTestId("verdict").count()).toBe(2);
  await clean();
});

it("two planar runs share the flat view", async () => {
  const { page, clean } = await open(browser, writePage("compare_planar", [planar("A", 0.6), planar("B", 0.5)]));
  expect(await page.locator(".canvas-box.flat").count()).toBe(1);
  await page.getByRole("button", { name: "Side by side" }).click();
  await page.keyboard.press("c");
  await clean();
});
