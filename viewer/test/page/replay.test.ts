import type { Browser } from "playwright-core";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePage } from "../synthetic/page";
import { bouncing, planar, shapes } from "../synthetic/runs";
import { launch, open, shown, timeOf } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** The sliding box of the made-up run in closed form. */
const slide = (t: number) => -1 + 2 * t - 0.5 * 0.3 * 9.81 * t * t;

describe("a replay opened from a file", () => {
  it("plays, pauses, scrubs, steps by frame and by event, and obeys the keyboard", async () => {
    const { page, clean } = await open(browser, writePage("replay", [bouncing()]));
    expect(await timeOf(page)).toBe(0);
    await page.getByTestId("play").click();
    await page.waitForFunction(() => window.stiction.state!.player.t > 0.05);
    await page.getByTestId("play").click();
    expect(await page.evaluate(() => window.stiction.state!.player.playing)).toBe(false);

    const line = (await page.getByTestId("timeline").boundingBox())!;
    await page.mouse.move(line.x + 0.2 * line.width, line.y + 17);
    await page.mouse.down();
    await page.mouse.move(line.x + 0.555 * line.width, line.y + 17, { steps: 3 });
    await page.mouse.up();
    expect(Math.abs((await timeOf(page)) - 0.555 * 3)).toBeLessThan(0.02);

    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await timeOf(page)).toBeCloseTo(0.02, 9);
    await page.keyboard.press("ArrowLeft");
    expect(await timeOf(page)).toBeCloseTo(0.01, 9);

    const landing = Math.sqrt((2 * (0.7 - 0.1)) / 9.81);
    await page.getByRole("button", { name: "Next event" }).click();
    expect(await page.evaluate(() => window.stiction.state!.player.t)).toBeCloseTo(landing, 12);
    await page.getByRole("tab", { name: "Events" }).click();
    await page.locator(".event").nth(1).click();
    expect(await page.evaluate(() => window.stiction.state!.player.t)).toBeCloseTo(Math.sqrt((2 * (1.2 - 0.15)) / 9.81), 12);

    await page.keyboard.press("?");
    expect(await page.getByRole("dialog", { name: "Keyboard shortcuts" }).isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("]");
    expect(await page.getByLabel("Speed").inputValue()).toBe("2");
    await page.keyboard.press("l");
    expect(await page.getByRole("button", { name: "Loop" }).getAttribute("aria-pressed")).toBe("true");
    await clean();
  });

  it("a body chosen in the list and one hit in the picture show their numbers", async () => {
    const { page, clean } = await open(browser, writePage("pick", [bouncing()]) + "#t=0.5");
    await page.getByLabel("Search bodies").fill("BOX");
    await page.locator("[data-body]").click();
    expect(await shown(page, "position.0")).toBeCloseTo(slide(0.5), 5);
    expect(await shown(page, "position.2")).toBeCloseTo(0.1, 9);
    expect(await shown(page, "velocity.0")).toBeCloseTo(2 - 0.3 * 9.81 * 0.5, 5);
    await page.keyboard.press("Escape");
    await page.evaluate(() => window.stiction.state!.selectBody(null));
    const box = (await page.locator(".scene-canvas").boundingBox())!;
    const name = () => page.evaluate(() => window.stiction.state!.body?.name ?? null);
    const found = new Set<string>();
    for (let i = 1; i < 24 && found.size < 3; ++i) for (let k = 8; k < 22 && found.size < 3; ++k) {
      const hit = await page.evaluate(([x, y]) => window.stiction.pick(x, y), [(box.width * i) / 24, (box.height * k) / 24]);
      if (!hit || found.has(hit)) continue;
      await page.mouse.click(box.x + (box.width * i) / 24, box.y + (box.height * k) / 24);
      expect(await name()).toBe(hit);
      expect(await page.getByTestId("body-card").locator("h2").textContent()).toBe(hit);
      found.add(hit);
    }
    expect([...found].length).toBeGreaterThanOrEqual(3);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByRole("button", { name: /^Hide / }).first().click();
    expect(await page.evaluate(() => window.stiction.state!.hidden.size)).toBe(1);
    await clean();
  });

  it("a body that is followed stays where it is in the picture", async () => {
    const { page, clean } = await open(browser, writePage("follow", [bouncing()]) + "#t=0&body=box");
    const at = (x: number, y: number) => page.evaluate(([a, b]) => window.stiction.pick(a, b), [x, y]);
    const { width, height } = (await page.locator(".scene-canvas").boundingBox())!;
    const grid = Array.from({ length: 900 }, (_, i) => [((i % 30) + 0.5) * (width / 30), (Math.floor(i / 30) + 0.5) * (height / 30)]);
    const hits: number[][] = [];
    for (const [x, y] of grid) if ((await at(x, y)) === "box") hits.push([x, y]);
    expect(hits.length).toBeGreaterThan(0);
    const go = async (t: number) => {
      await page.evaluate((then) => {
        window.stiction.setTime(then);
        return window.stiction.renderFrame();
      }, t);
      const still = await Promise.all(hits.map(([x, y]) => at(x, y)));
      return still.filter((name) => name === "box").length;
    };
    expect(await go(1)).toBeLessThan(hits.length / 2); // it has slid 0.7 m
    await go(0);
    await page.keyboard.press("g");
    expect(await go(1)).toBe(hits.length);
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => window.stiction.state!.following)).toBe(false);
    await clean();
  });

  it("contacts, their numbers, the worst one, and the certificate of the step", async () => {
    const { page, clean } = await open(browser, writePage("contacts", [bouncing()]) + "#t=0.3");
    const before = await page.evaluate(() => window.stiction.capture());
    await page.getByRole("button", { name: "Contacts" }).first().click();
    expect(await page.evaluate(() => window.stiction.capture())).not.toBe(before);
    await page.locator(".contact-row", { hasText: "box/floor" }).first().click();
    const impulse = (2 * 9.81 * 0.01) / 4;
    expect(await page.locator('[data-value="contact.state"]').textContent()).toBe("slip");
    expect(await shown(page, "contact.normal")).toBeCloseTo(impulse, 6);
    expect(await shown(page, "contact.tangent")).toBeCloseTo(0.3 * impulse, 6);
    expect(await page.locator('[data-value="contact.used"]').textContent()).toBe("100.0 %");
    await page.getByTestId("worst").click();
    expect(await shown(page, "contact.gap")).toBe(-1e-9);
    expect(await page.locator('[data-value="step.certified"]').textContent()).toBe("certified");
    expect(await page.getByTestId("verdict").locator(".long").textContent()).toBe("All 300 steps certified");
    await clean();
  });

  it("a step without a certificate is found", async () => {
    const { page, clean } = await open(browser, writePage("planar", [planar()]));
    expect(await page.getByTestId("verdict").locator(".long").textContent()).toBe("1 of 200 steps not certified");
    await page.keyboard.press("z");
    expect(await page.locator('[data-value="step.certified"]').textContent()).toBe("not certified");
    expect(await shown(page, "step.residual")).toBe(1e-3);
    await page.keyboard.press("j");
    expect(await page.getByTestId("joints").textContent()).toContain("pin");
    await clean();
  });

  it("every shape, every layer, both themes", async () => {
    const { page, clean } = await open(browser, writePage("shapes", [shapes()]), { viewport: { width: 1000, height: 700 } });
    const pictures = new Set<string>();
    const take = async () => pictures.add(await page.evaluate(() => window.stiction.capture()));
    await take();
    for (const key of ["v", "t", "h", "o", "n", "1", "2", "3", "w", "d", "+"]) {
      await page.keyboard.press(key);
      await page.evaluate(() => window.stiction.setTime(1));
      await take();
    }
    expect(pictures.size).toBeGreaterThanOrEqual(10);
    await clean();
  });

  it("plots: values, zoom, seek, CSV and PNG", async () => {
    const { page, clean } = await open(browser, writePage("plots", [bouncing()]));
    await page.locator('[data-plot="body"] select').first().selectOption("box");
    await page.locator('[data-plot="body"] select').nth(1).selectOption("x");
    const over = (await page.locator('[data-plot="body"] .u-over').boundingBox())!;
    await page.mouse.click(over.x + over.width / 2, over.y + 20);
    expect(Math.abs((await page.evaluate(() => window.stiction.state!.player.t)) - 1.5)).toBeLessThan(0.03);
    const [csv] = await Promise.all([page.waitForEvent("download"), page.locator('[data-plot="body"]').getByRole("button", { name: "CSV" }).click()]);
    const lines = readFileSync((await csv.path())!, "utf8").trim().split("\n");
    expect(lines[0]).toBe("time [s],x [m]");
    expect(lines.length).toBe(302);
    const [t, x] = lines[31].split(",").map(Number);
    expect(x).toBeCloseTo(slide(t), 12);
    const [png] = await Promise.all([page.waitForEvent("download"), page.locator('[data-plot="energy"]').getByRole("button", { name: "Save the picture" }).click()]);
    expect(readFileSync((await png.path())!).subarray(1, 4).toString()).toBe("PNG");
    await page.mouse.move(over.x + 0.2 * over.width, over.y + 30);
    await page.mouse.down();
    await page.mouse.move(over.x + 0.5 * over.width, over.y + 30, { steps: 4 });
    await page.mouse.up();
    const cursor = page.locator('[data-plot="energy"] .plot-cursor');
    await page.evaluate(() => window.stiction.setTime(2.5));
    expect(await cursor.isVisible()).toBe(false); // outside of the window, which all plots share
    await page.evaluate(() => window.stiction.setTime(1));
    expect(await cursor.isVisible()).toBe(true);
    await page.evaluate(() => window.stiction.setTime(2.5));
    await page.locator('[data-plot="energy"]').getByRole("button", { name: "All" }).click();
    expect(await cursor.isVisible()).toBe(true);
    await clean();
  });
});
