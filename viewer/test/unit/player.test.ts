import { describe, expect, it } from "vitest";
import { Player } from "../../src/time/player";

const make = () => new Player([0, 1, 2, 3, 4], [2.5, 0.5, 2.5]);

describe("player", () => {
  it("plays to the end and stops", () => {
    const p = make();
    p.play();
    p.advance(1.5);
    expect(p.t).toBe(1.5);
    p.speed = 2;
    p.advance(1);
    expect(p.t).toBe(3.5);
    p.advance(10);
    expect([p.t, p.playing]).toEqual([4, false]);
    p.play();
    expect(p.t).toBe(0);
  });
  it("loops", () => {
    const p = make();
    p.loop = true;
    p.play();
    p.advance(9.5);
    expect(p.t).toBeCloseTo(1.5, 12);
    expect(p.playing).toBe(true);
  });
  it("steps by frame from a frame and from between", () => {
    const p = make();
    p.seek(2);
    p.stepFrame(1);
    expect(p.t).toBe(3);
    p.stepFrame(-2);
    expect(p.t).toBe(1);
    p.seek(1.5);
    p.stepFrame(-1);
    expect(p.t).toBe(1);
    p.seek(1.5);
    p.stepFrame(1);
    expect(p.t).toBe(2);
    p.stepFrame(99);
    expect(p.t).toBe(4);
  });
  it("steps by event", () => {
    const p = make();
    expect(p.stepEvent(1)).toBe(true);
    expect(p.t).toBe(0.5);
    p.stepEvent(1);
    expect(p.t).toBe(2.5);
    expect(p.stepEvent(1)).toBe(false);
    expect(p.t).toBe(2.5);
    p.stepEvent(-1);
    expect(p.t).toBe(0.5);
    expect(p.stepEvent(-1)).toBe(false);
  });
  it("stays within the run and ignores what is no number", () => {
    const p = make();
    p.seek(-3);
    expect(p.t).toBe(0);
    p.seek(NaN);
    expect(p.t).toBe(0);
    p.seek(7);
    expect(p.t).toBe(4);
  });
  it("a live one goes with the newest frame until it is moved", () => {
    const p = make();
    p.goLive();
    expect(p.t).toBe(4);
    p.setTimes([0, 5], []);
    expect(p.t).toBe(5);
    p.seek(1);
    p.setTimes([0, 6], []);
    expect(p.t).toBe(1);
  });
});
