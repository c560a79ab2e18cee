const PATHS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  frameBack: "M15 5.5v13L6.5 12zM4.5 5.5h1.8v13H4.5z",
  frameOn: "M9 5.5v13l8.5-6.5zM17.7 5.5h1.8v13h-1.8z",
  eventBack: "M12 5.5v13L5 12zM19 5.5v13L12 12z",
  eventOn: "M5 5.5v13l7-6.5zM12 5.5v13l7-6.5z",
  start: "M5 5.5h2v13H5zM19 5.5v13L8.5 12z",
  loop: "M7 7h9.2l-2.1-2.1L15.5 3.5 20 8l-4.5 4.5-1.4-1.4L16.2 9H8a2 2 0 0 0-2 2v1.5H4V10a3 3 0 0 1 3-3zM17 17H7.8l2.1 2.1-1.4 1.4L4 16l4.5-4.5 1.4 1.4L7.8 15H16a2 2 0 0 0 2-2v-1.5h2V14a3 3 0 0 1-3 3z",
  eye: "M12 5C6.5 5 2.6 9.3 1.5 12c1.1 2.7 5 7 10.5 7s9.4-4.3 10.5-7C21.4 9.3 17.5 5 12 5zm0 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9zm0-2.3a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z",
  eyeOff: "M3.3 2 2 3.3l4 4C3.8 8.7 2.2 10.6 1.5 12c1.1 2.7 5 7 10.5 7 2 0 3.7-.5 5.2-1.3l3.5 3.5 1.3-1.3zM12 16.5a4.5 4.5 0 0 1-4.1-6.4l1.8 1.8v.1a2.3 2.3 0 0 0 2.4 2.3l1.8 1.8c-.6.3-1.2.4-1.9.4zM12 5c5.5 0 9.4 4.3 10.5 7-.5 1.2-1.5 2.7-3 4l-3.2-3.2A4.5 4.5 0 0 0 11.2 7.6L9 5.4c.9-.3 1.9-.4 3-.4z",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM11 1h2v4h-2zM11 19h2v4h-2zM1 11h4v2H1zM19 11h4v2h-4zM4.2 5.6l1.4-1.4 2.8 2.8L7 8.4zM15.6 17l1.4-1.4 2.8 2.8-1.4 1.4zM15.6 7l2.8-2.8 1.4 1.4L17 8.4zM4.2 18.4 7 15.6 8.4 17l-2.8 2.8z",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5z",
  help: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm1 17h-2v-2h2zm2-7.7-.9.9c-.7.7-1.1 1.3-1.1 2.8h-2v-.5c0-1.1.4-2.1 1.1-2.8l1.2-1.3a2 2 0 1 0-3.4-1.4H8a4 4 0 1 1 7 2.3z",
  info: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm1 15h-2v-6h2zm0-8h-2V7h2z",
  frame: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  target: "M11 2h2v3.1A7 7 0 0 1 18.9 11H22v2h-3.1A7 7 0 0 1 13 18.9V22h-2v-3.1A7 7 0 0 1 5.1 13H2v-2h3.1A7 7 0 0 1 11 5.1zM12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  warning: "M12 2.5 1 21h22zM13 18h-2v-2h2zm0-3.5h-2V9h2z",
  check: "M9.5 17.5 4 12l1.5-1.5 4 4 9-9L20 7z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4L12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
  left: "M3 4h18v16H3zm2 2v12h4V6z",
  right: "M3 4h18v16H3zm12 2v12h4V6z",
  bottom: "M3 4h18v16H3zm2 10v4h14v-4z",
  picture: "M4 4h16v16H4zm2 11v3h12v-2l-4-4-3 3-2-2zM8 7a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}
