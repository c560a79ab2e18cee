/** Colours of what is drawn in the scene; those of the page itself are in style/. */
export interface Palette {
  background: number;
  floor: number;
  line: number;
  lineStrong: number;
  still: number;
  kinematic: number;
  outline: number;
  ink: number;
  second: number;
  joint: number;
  link: number;
  velocity: number;
  selected: number;
  sky: number;
  earth: number;
  ambient: number;
  sun: number;
  /** Open, stick, slip, closed without friction. */
  state: [number, number, number, number];
}

const LIGHT: Palette = {
  background: 0xf3f5f8, floor: 0xe9edf2, line: 0xc9d1dc, lineStrong: 0x9faaba, still: 0xb4bcc8, kinematic: 0x7f8da0, outline: 0x2b3543,
  ink: 0x1b2430, second: 0xd9730d, joint: 0x7442d6, link: 0x76849a, velocity: 0x15803d, selected: 0x1a5fd0, sky: 0xffffff, earth: 0xb9b4ad, ambient: 1.5, sun: 2.1,
  state: [0x7d8796, 0x0d8f7e, 0xdb5f00, 0x2f6fd6],
};

const DARK: Palette = {
  background: 0x10151b, floor: 0x1b222b, line: 0x323d4a, lineStrong: 0x55636f, still: 0x5c6875, kinematic: 0x8593a5, outline: 0xdbe4ee,
  ink: 0xe7ecf3, second: 0xffa24d, joint: 0xb79bff, link: 0x93a3b8, velocity: 0x5fd38a, selected: 0x8ab8ff, sky: 0xc9d6e6, earth: 0x2a2f36, ambient: 1.1, sun: 1.9,
  state: [0x9aa5b4, 0x2fcdb6, 0xff9340, 0x7db0ff],
};

export function paletteOf(theme: "light" | "dark"): Palette {
  return theme === "dark" ? DARK : LIGHT;
}

const BODIES = [0x4c86c6, 0xdd9146, 0x4fa287, 0xc4688c, 0x8778c9, 0xb3993a, 0x57a9c4, 0xc2645a];

export function bodyColor(place: number): number {
  return BODIES[place % BODIES.length];
}

export function cssColor(color: number): string {
  return `#${color.toString(16).padStart(6, "0")}`;
}
