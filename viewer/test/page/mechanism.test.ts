import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writePage } from "../synthetic/page";
import { bouncing, mechanism, planar, point } from "../synthetic/runs";
import { launch, open, shown } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const picture = (page: Page) => page.evaluate(() => window.stiction.capture());
const boxes = (page: Page, what: string) => page.locator(what).evaluateAll((all) => all.filter((e) => (e as HTMLElement).offsetParent !== null).map((e) => {
  const { left, top, right, bottom } = e.getBoundingClientRect();
  return { left, top, right, bottom, text: e.textContent };
}));
type Rect = Awaited<ReturnType<typeof boxes>>[number];
const overlap = (a: Rect, b: Rect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

it.each([false, true])("springs, ropes, guides and joints are drawn and can be left out (flat: %s)", async (flat) => {
  const { page, clean } = await open(browser, writePage(`mechanism_${flat}`, [mechanism(flat)]) + "#t=0.5");
  const slack = await picture(page);
  await page.keyboard.press("m");
  expect(await page.locator('[data-layer="links"]').getAttribute("aria-pressed")).toBe("false");
  const bare = await picture(page);
  expect(bare).not.toBe(slack);
  await page.locator('[data-layer="links"]').click();
  expect(await picture(page)).toBe(slack);
  // A weld that broke is no longer drawn: nothing else about that body changes.
  const colors = async (t: number) => {
    await page.evaluate((at) => window.stiction.setTime(at), t);
    const on = await picture(page);
    await page.evaluate(() => window.stiction.state!.show([0, 1, 2, 3], false));
    const only = await picture(page);
    await page.evaluate(() => window.stiction.state!.show([0, 1, 2, 3], true));
    return { on, only };
  };
  expect((await colors(1.4)).only).not.toBe((await colors(1.6)).only);
  await clean();
});

it("a contact is explained in words, and what was chosen is in sight", async () => {
  const { page, clean } = await open(browser, writePage("explained", [bouncing()]) + "#t=0.3&body=box");
  await page.locator(".contact-row", { hasText: "box/floor" }).first().click();
  expect(await page.getByTestId("contact-words").textContent()).toBe(`Slips at ${Number((2 - 0.3 * 9.81 * 0.3).toPrecision(3))} m/s: friction is at its limit, μ times the normal impulse.`);
  expect(await page.locator('[data-value="contact.direction"]').textContent()).toBe("0  0  1");
  expect(await shown(page, "contact.slip")).toBeCloseTo(2 - 0.3 * 9.81 * 0.3, 3);
  const card = (await page.getByTestId("contact-card").boundingBox())!;
  const side = (await page.locator(".right").boundingBox())!;
  expect(card.y).toBeGreaterThanOrEqual(side.y - 1);
  expect(await shown(page, "step.momentum_defect")).toBe(3e-16);
  expect(await page.locator('[data-value="step.joint_error"]').isVisible()).toBe(false);
  await page.evaluate(() => window.stiction.setTime(2));
  expect(await page.getByTestId("contact-words").textContent()).toMatch(/^Sticks: friction holds it, with 0 %/);
  await clean();
});

it("a number is never cut off, however small it is", async () => {
  const { page, clean } = await open(browser, writePage("small_numbers", [mechanism()]) + "#t=0.5&body=sprung");
  expect(await page.locator('[data-value="angular_velocity.1"]').textContent()).toBe("-7.89752e-12");
  const wide = await page.locator(".right").evaluate((side) => [side.scrollWidth, side.clientWidth]);
  expect(wide[0]).toBeLessThanOrEqual(wide[1]);
  for (const cell of await page.locator(".right td").all()) expect(await cell.evaluate((td) => td.scrollWidth - td.clientWidth)).toBeLessThanOrEqual(1);
  await clean();
});

it("a body without a shape that stays where it is can be seen", async () => {
  const { page, clean } = await open(browser, writePage("point", [point()]));
  const { width, height } = (await page.locator(".scene-canvas").boundingBox())!;
  let seen = 0;
  for (let x = 0; x < width; x += 3) seen += await page.evaluate(([at, h]) => [0.3, 0.4, 0.5, 0.6, 0.7].filter((y) => window.stiction.pick(at, y * h) === "body").length, [x, height]);
  expect(seen).toBeGreaterThan(1);
  expect(seen).toBeLessThan(60);
  await clean();
});

it("two runs with different steps: the contacts of each are those of the time that is shown", async () => {
  const { page, clean } = await open(browser, writePage("compare_steps", [bouncing("A run", 0.7), bouncing("B run", 0.7, { h: 0.04 })]) + "#t=0.32");
  const rows = await page.locator(".contact-row", { hasText: "box/floor" }).allTextContents();
  expect(rows.filter((r) => r.startsWith("A")).length).toBe(4);
  expect(rows.filter((r) => r.startsWith("B")).length).toBe(4);
  expect(rows.filter((r) => r.includes("slip")).length).toBe(8); // at the end of the run both would stick
  await page.locator(".contact-row", { hasText: "B box/floor" }).first().click();
  expect(await page.locator('[data-value="contact.state"]').textContent()).toBe("slip");
  await page.keyboard.press("End");
  expect(await page.locator('[data-value="contact.state"]').textContent()).toBe("stick");
  await page.keyboard.press("c");
  await page.getByRole("button", { name: "Side by side" }).click();
  await page.keyboard.press("c");
  const [legend] = await boxes(page, ".legend");
  for (const name of await boxes(page, ".split-name")) expect(overlap(legend, name), `legend over ${name.text}`).toBe(false);
  await clean();
});

it("small pictures: no number lies over another, over the axes or over a body", async () => {
  for (const [name, run] of [["bouncing", bouncing()], ["planar", planar()], ["mechanism", mechanism()]] as const) {
    const { page, clean } = await open(browser, writePage(`small_${name}`, [run]) + "#render&t=0.4", { viewport: { width: 360, height: 203 } });
    await page.evaluate(() => window.stiction.renderFrame());
    const labels = [...await boxes(page, ".label"), ...await boxes(page, ".triad"), ...(await boxes(page, ".grid-caption")).filter((b) => b.text !== "")];
    expect(labels.length).toBeGreaterThan(1);
    if (name === "planar") expect(labels.map((l) => l.text)).toContain("x, y in m");
    labels.forEach((a, i) => labels.slice(i + 1).forEach((b) => expect(overlap(a, b), `${name}: ${a.text} over ${b.text}`).toBe(false)));
    await clean();
  }
});
