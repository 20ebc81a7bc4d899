// "Same bodies, every law": one row per law, live.
import { h, replace, setText, symbol } from "../dom";
import { exact, fixed, percent } from "../format";
import { lawOf } from "../manifest";
import type { Results } from "../results";
import type { Store } from "../state";
import type { Answer } from "../types";
import { LedgerBar } from "./ledger";

interface Column {
  title: string;
  value(answer: Answer): number | null | undefined;
}

function vector(letter: string, plus: string, size: number, get: (a: Answer) => number[] | undefined): Column[] {
  const names = size === 2 ? ["t", "n"] : ["t1", "t2", "n"];
  return names.map((name, i) => ({ title: `${letter}_${name}${plus}`, value: (a) => get(a)?.[i] }));
}

function columnsOf(size: number): Column[] {
  return [...vector("p", "", size, (a) => a.p), ...vector("u", "+", size, (a) => a.u_after), { title: "e", value: (a) => a.restitution?.newton }];
}

class Row {
  readonly element: HTMLTableRowElement;
  private cells: HTMLTableCellElement[];
  private share = h("td", { class: "number share" });
  private word = h("td", { class: "mode" });
  private bar = new LedgerBar();

  constructor(private law: string, private columns: Column[], choose: () => void) {
    const name = h("button", { type: "button", class: "law", title: lawOf(law)?.summary ?? "" }, law);
    name.addEventListener("click", choose);
    this.cells = columns.map((column) => h("td", { class: "number", "data-column": column.title }));
    this.element = h("tr", { "data-law": law }, h("th", { scope: "row" }, name), ...this.cells, this.share, h("td", { class: "ledger-cell" }, this.bar.element), this.word);
  }

  update(answer: Answer, isChosen: boolean, allDigits: boolean): void {
    const isRefused = answer.p === undefined;
    this.element.toggleAttribute("data-refused", isRefused);
    this.element.toggleAttribute("data-gains", answer.flags?.includes("creates-energy") ?? false);
    if (isChosen) this.element.setAttribute("aria-current", "true");
    else this.element.removeAttribute("aria-current");
    this.columns.forEach((column, i) => {
      const value = column.value(answer);
      setText(this.cells[i], isRefused ? "" : allDigits ? exact(value) : fixed(value));
    });
    const { energy } = answer;
    setText(this.share, energy && energy.contact > 0 ? percent(energy.change / energy.contact) : "");
    this.bar.update(answer);
    setText(this.word, isRefused ? answer.message.replace(/^law: /, "").replace(`${this.law} is `, "") : [...(answer.flags ?? []), answer.mode ?? ""].join(", "));
  }
}

export class LawTable {
  readonly element = h("section", { class: "every-law", "aria-label": "The same bodies under every law" });
  private table = h("table");
  private rows = new Map<string, Row>();
  private key = "";
  private digits = h("input", { type: "checkbox", id: "all-digits" });
  private force = h("input", { type: "checkbox", id: "force-laws" });

  constructor(private store: Store) {
    this.digits.addEventListener("change", () => store.set({ digits: this.digits.checked ? "all" : "short" }));
    const caption = h("div", { class: "caption" }, h("h2", {}, "Same bodies, every law"), h("span", {}, h("label", {}, this.force, " contact-force laws"), h("label", {}, this.digits, " all digits")));
    this.force.addEventListener("change", () => store.set({ force: this.force.checked }));
    const legend = h("p", { class: "legend" }, swatch("after", "energy left"), swatch("friction", "lost to friction"), swatch("normal", "lost along the normal"), swatch("gain", "created"));
    this.element.append(caption, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "table of laws, scrolls sideways" }, this.table), legend);
  }

  update(results: Results): void {
    this.element.toggleAttribute("data-stale", results.refusal !== undefined);
    if (results.refusal) return;
    const { state } = this.store;
    const size = results.answers.find((a) => a.p)?.p?.length ?? 2;
    const key = `${size}|${results.answers.map((a) => a.law).join()}`;
    if (key !== this.key) this.build(results.answers, size);
    this.key = key;
    this.digits.checked = state.digits === "all";
    this.force.checked = state.force;
    this.table.classList.toggle("exact", state.digits === "all");
    for (const answer of results.answers) this.rows.get(answer.law)?.update(answer, answer === results.chosen, state.digits === "all");
  }

  private build(answers: Answer[], size: number): void {
    const columns = columnsOf(size);
    this.rows.clear();
    for (const { law } of answers) this.rows.set(law, new Row(law, columns, () => this.store.edit((file) => ({ ...file, law }))));
    const heads = columns.map((column) => h("th", { scope: "col", class: "number" }, symbol(column.title)));
    const energy = h("th", { scope: "col", class: "number" }, "Δ", h("i", {}, "E"), "/", symbol("E_c"));
    const head = h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "law"), ...heads, energy, h("th", { scope: "col", class: "energy-head" }, "energy"), h("th", { scope: "col", class: "mode-head" }, "flags, mode")));
    this.table.classList.toggle("spatial", size === 3);
    replace(this.table, head, h("tbody", {}, ...[...this.rows.values()].map((row) => row.element)));
  }
}

function swatch(kind: string, text: string): HTMLElement {
  return h("span", {}, h("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), text);
}
