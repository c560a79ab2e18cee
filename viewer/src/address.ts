/** What the address asks for, after ? or #: t, body, theme, view, layout, layers=contacts,joints and render. */
export interface Wishes {
  t: number | null;
  body: string | null;
  theme: "light" | "dark" | null;
  view: string | null;
  layout: string | null;
  layers: string[];
  render: boolean;
}

export function wishesOf(address: { search: string; hash: string }): Wishes {
  const asked = new URLSearchParams(address.search);
  for (const [key, value] of new URLSearchParams(address.hash.replace(/^#/, ""))) asked.set(key, value);
  const t = asked.get("t");
  const theme = asked.get("theme");
  const render = asked.get("render");
  return {
    t: t !== null && t !== "" && Number.isFinite(Number(t)) ? Number(t) : null,
    body: asked.get("body"),
    theme: theme === "dark" || theme === "light" ? theme : null,
    view: asked.get("view"),
    layout: asked.get("layout"),
    layers: (asked.get("layers") ?? "").split(",").filter((x) => x !== ""),
    render: render !== null && render !== "0",
  };
}
