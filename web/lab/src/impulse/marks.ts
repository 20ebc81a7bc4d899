// Outcomes as points; laws that agree share one, with one letter.
import type { Pair } from "../plot";
import type { Answer } from "../types";
import type { Problem } from "./space";

export interface Outcome {
  letter: string;
  p: Pair;
  laws: string[];
  gains: boolean;
}

const SAME = 1e-6; // of the largest impulse: closer points are one

export function outcomesOf(problem: Problem, answers: Answer[]): Outcome[] {
  const size = Math.max(...answers.map((a) => Math.hypot(...(a.p ?? [0]))), 1e-300);
  const found: Outcome[] = [];
  for (const answer of answers) {
    if (!answer.p) continue;
    const p = problem.toPlane(answer.p);
    if (!p.every(Number.isFinite)) continue;
    const twin = found.find((o) => Math.hypot(o.p[0] - p[0], o.p[1] - p[1]) < SAME * size);
    if (twin) twin.laws.push(answer.law);
    else found.push({ letter: "", p, laws: [answer.law], gains: answer.flags?.includes("creates-energy") ?? false });
  }
  found.sort((a, b) => a.p[0] - b.p[0]);
  found.forEach((outcome, i) => (outcome.letter = String.fromCharCode(97 + i)));
  return found;
}
