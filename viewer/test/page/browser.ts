import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { existsSync } from "node:fs";
import { expect } from "vitest";
import type { Hook } from "../../src/hook";

declare global {
  interface Window {
    stiction: Hook;
  }
}

/** Debian's Chromium, or the one that CHROMIUM names; it draws in software, so that every machine draws the same. */
export function launch(...more: string[]): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  if (!executablePath) throw new Error("no Chromium found: make viewer-test installs it, or name one in CHROMIUM");
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", ...more] });
}

export interface Opened {
  page: Page;
  /** Console errors and uncaught exceptions. */
  faults: string[];
  /** Everything the page asked for, itself left out. */
  requests: string[];
  /** No fault and no request: what every test of a page ends with. */
  clean: () => Promise<void>;
}

export async function open(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: "light", acceptDownloads: true, ...options });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== address.split("#")[0] && !request.url().startsWith("data:") && !request.url().startsWith("blob:")) requests.push(request.url());
  });
  await page.goto(address);
  await page.evaluate(() => window.stiction.ready.catch(() => {}));
  const clean = async () => {
    expect(faults).toEqual([]);
    expect(requests).toEqual([]);
    expect(await page.locator(".error").count()).toBe(0);
    await context.close();
  };
  return { page, faults, requests, clean };
}

export async function timeOf(page: Page): Promise<number> {
  return Number((await page.getByTestId("time").textContent())!.replace(" s", ""));
}

/** A number as the page shows it. */
export async function shown(page: Page, key: string): Promise<number> {
  return Number(await page.locator(`[data-value="${key}"]`).first().textContent());
}
