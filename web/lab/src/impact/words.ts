// What happened, in words: modes, flags and warnings from the dictionary of the program.
import { h, replace } from "../dom";
import { short } from "../format";
import { explain, explainMode, lawOf } from "../manifest";
import type { Answer } from "../types";
import { describe, LedgerBar } from "./ledger";

export class Words {
  readonly element = h("section", { class: "words", "aria-live": "polite", "aria-label": "What happened" });
  private bar = new LedgerBar();
  private key = "";

  update(answer: Answer | undefined): void {
    if (!answer) return;
    this.bar.update(answer);
    const key = JSON.stringify([answer.law, answer.status, answer.mode, answer.flags, answer.warnings, answer.energy]);
    if (key === this.key) return;
    this.key = key;
    const items = [...status(answer), ...modes(answer), ...flags(answer), ...warnings(answer)];
    const energy = answer.energy ? h("p", { class: "energy" }, describe(answer), ".") : null;
    replace(this.element, h("h2", {}, "What happened under ", h("em", {}, lawOf(answer.law)?.name ?? answer.law)), this.bar.element, energy, h("dl", {}, ...items), restitutions(answer));
  }
}

function entry(word: string, meaning: string, className = ""): HTMLElement[] {
  return [h("dt", { class: className }, word), h("dd", {}, sentence(meaning))];
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(whole) ? whole : `${whole}.`;
}

function status(answer: Answer): HTMLElement[] {
  return answer.status === "ok" ? [] : entry(answer.status, answer.message);
}

function modes(answer: Answer): HTMLElement[] {
  return answer.mode ? explainMode(answer.mode).flatMap(({ word, meaning }) => entry(word, meaning)) : [];
}

function flags(answer: Answer): HTMLElement[] {
  return (answer.flags ?? []).flatMap((flag) => entry(flag, explain(flag, "flag") ?? flag, flag === "creates-energy" ? "bad" : "flag"));
}

function warnings(answer: Answer): HTMLElement[] {
  return (answer.warnings ?? []).flatMap((warning) => entry(warning, explain(warning, "warning") ?? warning, "flag"));
}

function restitutions(answer: Answer): HTMLElement | null {
  const measured = Object.entries(answer.restitution ?? {}).filter(([, value]) => value !== null);
  if (measured.length === 0) return null;
  return h("p", { class: "dim" }, `Measured restitution: ${measured.map(([name, value]) => `${name} ${short(value)}`).join(", ")}.`);
}
