// The energy ledger as a stacked bar: what is left of the contact energy, and where the rest went. Energy that a law
// creates stands beyond the end of the bar, in red.
import { h } from "../dom";
import { short } from "../format";
import type { Answer } from "../types";

export interface Shares {
  after: number;
  friction: number; // lost
  normal: number; // lost
  gain: number; // created
}

const FULL = 0.8; // of the width of the bar: the energy before; the rest is room for what is created

// Shares of the contact energy before: what an impulse at this contact can take. A part that gives energy back
// (friction that drives, springs) reduces the loss of the other.
export function sharesOf(answer: Answer): Shares {
  const e = answer.energy;
  if (!e || !(e.contact > 0)) return { after: 0, friction: 0, normal: 0, gain: 0 };
  const loss = Math.max(-e.change, 0) / e.contact;
  const [f, n] = [Math.max(-e.friction, 0), Math.max(-e.normal, 0)];
  const part = f + n > 0 ? f / (f + n) : 0;
  return { after: Math.max(1 - loss, 0), friction: loss * part, normal: loss * (1 - part), gain: Math.max(e.change, 0) / e.contact };
}

export class LedgerBar {
  readonly element = h("div", { class: "ledger", role: "img" });
  private parts = (["after", "friction", "normal", "gain"] as const).map((kind) => ({ kind, element: h("span", { class: kind }) }));

  constructor() {
    this.element.append(...this.parts.map((part) => part.element));
  }

  update(answer: Answer): void {
    const shares = sharesOf(answer);
    for (const { kind, element } of this.parts) element.style.width = `${(100 * FULL * Math.min(shares[kind], kind === "gain" ? 0.25 : 1)).toFixed(3)}%`;
    const label = describe(answer);
    if (this.element.title !== label) {
      this.element.title = label;
      this.element.setAttribute("aria-label", label);
    }
  }
}

export function describe(answer: Answer): string {
  const e = answer.energy;
  if (!e) return "no answer";
  const change = e.change > 0 ? `${short(e.change)} J created` : `${short(-e.change)} J lost`;
  return `${short(e.before)} J before, ${short(e.after)} J after, ${change}: ${short(e.normal)} J along the normal, ${short(e.friction)} J by friction`;
}
