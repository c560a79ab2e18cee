import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const css = ["theme", "plots"].map((f) => readFileSync(new URL(`../../src/style/${f}.css`, import.meta.url), "utf8")).join("\n");

/** The variables of :root, or of the dark :root laid over it. */
function colors(theme: "light" | "dark"): Map<string, string> {
  const out = new Map<string, string>();
  for (const [, selector, body] of css.matchAll(/(:root(?:\[data-theme="dark"\])?) \{([^}]*)\}/g)) {
    if (selector.includes("dark") && theme === "light") continue;
    for (const [, name, value] of body.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)) out.set(name, value);
  }
  return out;
}

/** WCAG 2.1, relative luminance and contrast ratio. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const TEXT: [string, string][] = [
  ...["text", "muted", "accent", "good", "bad", "stick", "slip", "open", "plot-1"].map((c): [string, string] => [c, "surface"]),
  ["text", "raised"], ["muted", "raised"], ["text", "page"], ["muted", "page"], ["accent", "accent-soft"], ["text", "accent-soft"], ["muted", "accent-soft"],
  ["good", "good-soft"], ["bad", "bad-soft"], ["busy", "busy-soft"], ["fair", "fair-soft"], ["surface", "accent"], ["surface", "second"], ["surface", "text"],
  ...["axis-x", "axis-y", "axis-z"].map((c): [string, string] => [c, "page"]),
];
const MARKS: [string, string][] = [
  ...["impact", "slip", "stick", "take_off", "other"].map((k): [string, string] => [`event-${k}`, "surface"]),
  ...[1, 2, 3, 4, 5, 6].map((k): [string, string] => [`plot-${k}`, "surface"]),
  ["joint", "surface"],
];

for (const theme of ["light", "dark"] as const) describe(`${theme} theme`, () => {
  const all = colors(theme);
  for (const [list, least] of [[TEXT, 4.5], [MARKS, 3]] as const) for (const [ink, paper] of list) {
    it(`${ink} on ${paper}: at least ${least}`, () => {
      expect(all.get(ink), ink).toBeDefined();
      expect(contrast(all.get(ink)!, all.get(paper)!)).toBeGreaterThanOrEqual(least);
    });
  }
});
