type Child = Node | string | null | undefined | false;

export interface Props {
  class?: string;
  id?: string;
  title?: string;
  type?: string;
  role?: string;
  disabled?: boolean;
  hidden?: boolean;
  tabIndex?: number;
  value?: string;
  placeholder?: string;
  aria?: Record<string, string>;
  data?: Record<string, string>;
  attr?: Record<string, string>;
  on?: Partial<{ [K in keyof HTMLElementEventMap]: (event: HTMLElementEventMap[K]) => void }>;
}

/** Elements only ever get text as text: names from a run cannot become markup. */
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const { class: name, aria, data, attr, on, ...rest } = props;
  const element = Object.assign(document.createElement(tag), rest);
  if (name) element.className = name;
  for (const [key, value] of Object.entries(aria ?? {})) element.setAttribute(`aria-${key}`, value);
  for (const [key, value] of Object.entries(data ?? {})) element.dataset[key] = value;
  for (const [key, value] of Object.entries(attr ?? {})) element.setAttribute(key, value);
  for (const [key, value] of Object.entries(on ?? {})) element.addEventListener(key, value as EventListener);
  for (const child of children) if (child) element.append(child);
  return element;
}

export function button(label: string, act: () => void, props: Props = {}, ...children: Child[]): HTMLButtonElement {
  return el("button", { type: "button", ...props, aria: { label, ...props.aria }, title: props.title ?? label, on: { click: act, ...props.on } }, ...children);
}

/** A button with its text to be read. */
export function textButton(label: string, act: () => void, props: Props = {}): HTMLButtonElement {
  return el("button", { type: "button", ...props, on: { click: act } }, label);
}

export function press(element: HTMLElement, on: boolean): void {
  element.setAttribute("aria-pressed", String(on));
}
