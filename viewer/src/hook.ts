import type { State } from "./state";

/** What a program that drives the page may call. */
export interface Hook {
  /** Settles when the run is shown; fails with what is wrong. */
  ready: Promise<void>;
  start: number;
  end: number;
  duration: number;
  frames: number;
  setTime: (t: number) => void;
  /** Draws now and answers when the picture is on the screen. */
  renderFrame: () => Promise<void>;
  /** The scene alone as a data address, "image/png" or "image/jpeg". */
  capture: (type?: string, quality?: number) => string;
  /** Milliseconds of each of n frames drawn one after another: the page's own work, and with that of the graphics. */
  measure: (n: number) => { script: number; whole: number }[];
  /** The name of the body at x, y in the picture's pixels. */
  pick: (x: number, y: number) => string | null;
  state?: State;
}

declare global {
  interface Window {
    stiction: Hook;
  }
}

export function makeHook(): { hook: Hook; settle: { done: () => void; failed: (error: unknown) => void } } {
  let done = () => {};
  let failed: (error: unknown) => void = () => {};
  const ready = new Promise<void>((resolve, reject) => {
    done = resolve;
    failed = reject;
  });
  ready.catch(() => {}); // shown in the page already
  const nothing = () => {};
  const hook: Hook = { ready, start: 0, end: 0, duration: 0, frames: 0, setTime: nothing, renderFrame: () => Promise.resolve(), capture: () => "", measure: () => [], pick: () => null };
  window.stiction = hook;
  return { hook, settle: { done, failed } };
}
