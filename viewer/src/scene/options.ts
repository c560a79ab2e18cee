/** What is drawn over the bodies. */
export interface Options {
  contacts: boolean;
  /** Springs, ropes, rods and marks of joints. */
  links: boolean;
  joints: boolean;
  trails: boolean;
  velocities: boolean;
  ghosts: boolean;
  shadows: boolean;
  grid: boolean;
  /** Length of every arrow, 1 is the page's own choice. */
  scale: number;
}

export const DEFAULTS: Options = {
  contacts: false, links: true, joints: false, trails: false, velocities: false, ghosts: false, shadows: true, grid: true, scale: 1,
};

export type Layout = "overlay" | "split" | "first" | "second";

export interface Selection {
  /** Place in the list of bodies of the first run. */
  body: number | null;
  /** A contact record, and the run it belongs to. */
  contact: { run: number; record: number } | null;
}
