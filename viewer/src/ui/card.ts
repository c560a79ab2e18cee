import { el } from "./dom";

export interface Row {
  label: string;
  unit?: string;
  /** Name for tests and for those who read the page by program. */
  key: string;
}

/** A titled table whose numbers change and whose elements stay. */
export class Card {
  readonly element: HTMLElement;
  private cells = new Map<string, HTMLElement[]>();
  private heading: HTMLElement;
  private actions: HTMLElement;

  constructor(title: string, rows: Row[], readonly columns: string[] = [""]) {
    this.heading = el("h2", {}, title);
    this.actions = el("div", { class: "card-actions" });
    const table = el("table", {});
    if (columns.length > 1) table.append(el("thead", {}, el("tr", {}, el("th", {}), ...columns.map((c) => el("th", { attr: { scope: "col" } }, c)))));
    const body = el("tbody", {});
    for (const row of rows) {
      const cells = columns.map((_, i) => el("td", { data: { value: columns.length > 1 ? `${row.key}.${i}` : row.key } }));
      this.cells.set(row.key, cells);
      body.append(el("tr", {}, el("th", { attr: { scope: "row" } }, row.label, row.unit && columns.length > 1 ? el("span", { class: "unit" }, ` ${row.unit}`) : null), ...cells,
        columns.length > 1 ? null : el("td", { class: "unit" }, row.unit ?? "")));
    }
    table.append(body);
    this.element = el("section", { class: "card" }, el("div", { class: "card-head" }, this.heading, this.actions), table);
  }

  title(text: string): void {
    if (this.heading.textContent !== text) this.heading.textContent = text;
    this.heading.title = text;
  }
  set(key: string, ...values: string[]): void {
    this.cells.get(key)?.forEach((cell, i) => {
      const text = values[i] ?? "";
      if (cell.textContent !== text) cell.textContent = text;
    });
  }
  mark(key: string, className: string): void {
    for (const cell of this.cells.get(key) ?? []) cell.className = className;
  }
  tip(key: string, text: string): void {
    for (const cell of this.cells.get(key) ?? []) cell.title = text;
  }
  hideRow(key: string, hidden: boolean): void {
    const row = this.cells.get(key)?.[0].parentElement;
    if (row) row.hidden = hidden;
  }
  act(...buttons: HTMLElement[]): void {
    this.actions.append(...buttons);
  }
}
