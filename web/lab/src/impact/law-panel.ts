// The law and its coefficients: sliders come from the manifest.
import { getAt, setAt } from "../case";
import { h, replace, symbol } from "../dom";
import { exact, narrow, parse } from "../format";
import { lawOf, scaleOf, singleLaws, type Scale } from "../manifest";
import type { Store } from "../state";
import type { CaseFile, Coefficient, Law } from "../types";

const FAMILIES: Record<string, string> = { algebraic: "Algebraic", incremental: "Along the path (Coulomb)", compliant: "Tangential springs", "contact-force": "Contact force in time" };

const GREEK: Record<string, string> = { mu: "μ", mu_s: "μ_s", nu: "ν", eta: "η", kappa: "κ", e_t: "e_t", E_star: "E_*", share: "share", turn: "turn" };

function fraction(scale: Scale, value: number): number {
  return scale.isLog ? Math.log(value / scale.min) / Math.log(scale.max / scale.min) : value;
}

function valueAt(scale: Scale, at: number): number {
  return scale.isLog ? Number((scale.min * (scale.max / scale.min) ** at).toPrecision(3)) : Number(at.toFixed(6));
}

class Slider {
  readonly element: HTMLElement;
  private scale: Scale;
  private range: HTMLInputElement;
  private box = h("input", { type: "text", inputmode: "decimal", size: 8 });
  private note = h("p", { class: "problem", role: "alert" });

  constructor(private coefficient: Coefficient, law: Law, private store: Store) {
    this.scale = scaleOf(coefficient, law);
    const ends = this.scale.isLog ? { min: 0, max: 1, step: 0.001 } : this.scale;
    const label = `${coefficient.name}: ${coefficient.meaning} (${coefficient.range})`;
    this.range = h("input", { type: "range", min: ends.min, max: ends.max, step: ends.step, "aria-label": label, "data-coefficient": coefficient.name });
    this.range.addEventListener("input", () => this.set(valueAt(this.scale, Number(this.range.value))));
    this.box.setAttribute("aria-label", label);
    this.box.setAttribute("data-path", `coefficients.${coefficient.name}`);
    this.box.addEventListener("change", () => this.typed());
    this.element = h("div", { class: "slider", title: label }, symbol(GREEK[coefficient.name] ?? coefficient.name), this.range, this.box, this.note);
  }

  private typed(): void {
    const text = this.box.value.trim();
    if (text === "") return this.set(undefined);
    const value = parse(text);
    if (Number.isFinite(value)) return this.set(value);
    this.problem(`${this.coefficient.name}: "${text}" is not a number`);
  }

  private set(value: number | undefined): void {
    const { name } = this.coefficient;
    this.store.edit((file) => setAt(file, `coefficients.${name}`, value));
  }

  problem(message: string): void {
    this.note.textContent = message;
    this.box.setAttribute("aria-invalid", String(message !== ""));
  }

  update(file: CaseFile, message: string): void {
    const given = getAt(file, `coefficients.${this.coefficient.name}`);
    const usual = this.coefficient.default === "mu" ? (file.coefficients?.mu ?? 0.3) : this.coefficient.default;
    const value = typeof given === "number" ? given : usual;
    const isFunction = typeof given === "object" && given !== null; // of the speed: {"power": {...}}
    if (document.activeElement !== this.box) this.box.value = typeof given === "number" ? narrow(given) : "";
    this.box.placeholder = isFunction ? "of speed" : typeof usual === "number" ? narrow(Number(usual.toPrecision(4))) : "not given";
    this.box.title = isFunction ? JSON.stringify(given) : typeof given === "number" ? exact(given) : "";
    if (document.activeElement !== this.range || typeof value === "number") this.range.value = String(typeof value === "number" ? fraction(this.scale, value) : 0);
    this.element.toggleAttribute("data-default", typeof given !== "number");
    this.problem(message);
  }
}

export class LawPanel {
  readonly element: HTMLElement;
  private select = h("select", { id: "law" });
  private summary = h("p", { class: "summary" });
  private box = h("div", { class: "sliders" });
  private sliders: Slider[] = [];
  private law = "";

  constructor(private store: Store) {
    for (const [family, title] of Object.entries(FAMILIES)) {
      const options = singleLaws().filter((law) => law.family === family).map((law) => h("option", { value: law.id }, law.name));
      this.select.append(h("optgroup", { label: title }, ...options));
    }
    this.select.addEventListener("change", () => store.edit((file) => ({ ...file, law: this.select.value })));
    this.element = h("section", { class: "law-panel" }, h("label", { for: "law", class: "heading" }, "Law"), this.select, this.summary, this.box);
  }

  update(file: CaseFile, refusalPath: string, message: string): void {
    const law = lawOf(file.law) ?? singleLaws()[0];
    if (law.id !== this.law) this.build(law);
    this.select.value = law.id;
    this.sliders.forEach((slider, i) => slider.update(file, refusalPath === `coefficients.${law.coefficients[i].name}` ? message : ""));
  }

  private build(law: Law): void {
    this.law = law.id;
    this.summary.textContent = law.summary.replaceAll("^2", "²");
    this.sliders = law.coefficients.map((coefficient) => new Slider(coefficient, law, this.store));
    replace(this.box, ...this.sliders.map((slider) => slider.element));
  }
}
