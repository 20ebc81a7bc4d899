// The Impact view: two bodies, a law, what comes out.
import { button, h } from "../dom";
import { Fields } from "../impact/fields";
import { LawPanel } from "../impact/law-panel";
import { Stage } from "../impact/stage";
import { LawTable } from "../impact/table";
import { Words } from "../impact/words";
import { PRESETS } from "../presets";
import type { Results } from "../results";
import type { State, Store } from "../state";
import type { View } from "./view";

export class ImpactView implements View {
  readonly element: HTMLElement;
  private stage: Stage;
  private fields: Fields;
  private law: LawPanel;
  private table: LawTable;
  private words = new Words();
  private problem = h("p", { class: "problem banner", role: "alert" });
  private presets: HTMLButtonElement[];

  constructor(store: Store) {
    this.stage = new Stage(store);
    this.fields = new Fields(store);
    this.law = new LawPanel(store);
    this.table = new LawTable(store);
    this.presets = PRESETS.map((preset) => button(preset.label, preset.file.name ?? preset.label, () => store.set({ case: preset.file }), { class: "chip" }));
    const chips = h("div", { class: "chips", role: "group", "aria-label": "bodies to start from" }, ...this.presets);
    const key = h("p", { class: "legend" }, mark("before", "before"), mark("after", "after"), mark("impulse", "impulse on A (direction)"), mark("other", "A under the other laws"));
    const side = h("aside", { class: "side" }, this.law.element, this.fields.element);
    const left = h("div", { class: "left" }, this.problem, this.stage.element, key, this.words.element);
    this.element = h("div", { class: "view impact" }, chips, left, side, this.table.element);
  }

  update(state: State, before: State, results: Results): void {
    const isNew = state.case.name !== before.case.name || Object.keys(state.case).join() !== Object.keys(before.case).join() || state === before;
    PRESETS.forEach((preset, i) => this.presets[i].setAttribute("aria-pressed", String(preset.file.name === state.case.name)));
    const path = results.refusal?.path ?? "";
    const message = results.refusal?.message ?? "";
    this.law.update(state.case, path, message);
    const isFound = this.fields.update(state.case, path, message) || path.startsWith("coefficients.");
    this.problem.textContent = isFound ? "" : message;
    this.table.update(results);
    this.words.update(results.chosen);
    this.stage.update(state.case, results.answers, results.chosen, isNew);
  }

  hide(): void {
    this.stage.stop();
  }

  key(event: KeyboardEvent): void {
    if (event.key !== " ") return;
    this.stage.toggle();
    event.preventDefault();
  }

  picture(): SVGSVGElement {
    return this.stage.svg;
  }
}

function mark(kind: string, text: string): HTMLElement {
  return h("span", {}, h("span", { class: `mark ${kind}`, "aria-hidden": "true" }), text);
}
