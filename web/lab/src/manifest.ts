// The manifests of the library: laws with their coefficients, and the dictionary.
import type { Coefficient, Law, Word } from "./types";

let laws: Law[] = [];
let words: Word[] = [];

export function setManifest(newLaws: Law[], newWords: Word[]): void {
  laws = newLaws;
  words = newWords;
}

// The laws of one contact.
export function singleLaws(): Law[] {
  return laws.filter((law) => law.family !== "together");
}

export function lawOf(id: string | undefined): Law | undefined {
  return laws.find((law) => law.id === id);
}

export interface Scale {
  min: number;
  max: number;
  step: number;
  isLog: boolean;
}

const SPAN = 1000; // A positive coefficient without an upper end slides over this factor on both sides of its default.

// The range of a slider, from the range of the manifest.
export function scaleOf(coefficient: Coefficient, law: Law): Scale {
  const own = new RegExp(`\\(${law.id}: (-?[\\d.]+)\\.\\.\\.(-?[\\d.]+)\\)`).exec(coefficient.range);
  const plain = /^(-?[\d.]+|-pi)\.\.\.([\d.]+|pi)/.exec(coefficient.range);
  const ends = own ?? plain;
  if (ends) {
    const [min, max] = [ends[1], ends[2]].map(number);
    const whole = coefficient.range.includes("whole");
    return { min, max, step: whole ? 1 : (max - min) / 200, isLog: false };
  }
  if (coefficient.range === "any") return { min: -1.5, max: 1.5, step: 0.01, isLog: false };
  const value = typeof coefficient.default === "number" ? coefficient.default : 1;
  if (coefficient.range.startsWith("> 0") || value > 10) return { min: value / SPAN, max: value * SPAN, step: 0.01, isLog: true };
  if (coefficient.name.startsWith("s_")) return { min: 0, max: 1, step: 0.005, isLog: false };
  const least = coefficient.name === "exponent" ? 1 : 0;
  return { min: least, max: least + 1.5, step: 0.005, isLog: false };
}

function number(text: string): number {
  return text.endsWith("pi") ? Math.PI * (text.startsWith("-") ? -1 : 1) : Number(text);
}

// A word of an answer, explained. A kind narrows the search: modes and statuses share words.
export function explain(word: string, kind: string): string | undefined {
  return words.find((entry) => entry.word === word && entry.kind.startsWith(kind))?.meaning;
}

// A mode may be several words: the mix of three laws names its parts, other laws join two phases.
export function explainMode(mode: string): { word: string; meaning: string }[] {
  const whole = explain(mode, "mode");
  if (whole) return [{ word: mode, meaning: whole }];
  if (/^(slip|stick|chatter)(-(slip|stick|chatter))+$/.test(mode)) return [{ word: mode, meaning: story(mode) }];
  return mode
    .split(/[|/]/)
    .map((part) => ({ word: part, meaning: explain(part.replace(/^[IV]+:/, ""), "mode") ?? "" }))
    .filter((part) => part.meaning !== "");
}

// "slip-stick-slip" as a sentence.
function story(mode: string): string {
  const verbs: Record<string, string> = { slip: "slips", stick: "sticks", chatter: "goes on alternating" };
  return `The contact spot first ${mode.split("-").map((word) => verbs[word]).join(", then ")}.`;
}
