// Which coefficients of a law give a wanted impulse: least squares in two coefficients, within their ranges.
import { lawOf, scaleOf } from "../manifest";
import type { CaseFile, Law } from "../types";

export type Solve = (file: CaseFile) => number[] | undefined; // the impulse in the plane

export interface Knob {
  name: string;
  min: number;
  max: number;
}

const SECOND = ["e_t", "ratio_1", "nu", "turn", "mu"]; // the order of carom_sweep2_of

// e over its range, and the first of these that the law uses.
export function knobsOf(law: Law | undefined): Knob[] {
  if (!law) return [];
  const first = law.coefficients.find((c) => c.name === "e");
  const second = SECOND.map((name) => law.coefficients.find((c) => c.name === name)).find((c) => c !== undefined);
  return [first, second].filter((c) => c !== undefined).map((c) => {
    const { min, max } = scaleOf(c, law);
    return { name: c.name, min, max };
  });
}

export function withKnobs(file: CaseFile, knobs: Knob[], values: number[]): CaseFile {
  const coefficients = { ...file.coefficients };
  knobs.forEach((knob, i) => (coefficients[knob.name] = values[i]));
  return { ...file, coefficients };
}

export function valuesOf(file: CaseFile, knobs: Knob[]): number[] {
  const law = lawOf(file.law);
  return knobs.map((knob) => file.coefficients?.[knob.name] ?? Number(law?.coefficients.find((c) => c.name === knob.name)?.default ?? 0));
}

const GRID = 9;

// The best of a coarse grid, then Gauss-Newton steps with halving. Returns the values and the distance that is left.
export function aim(file: CaseFile, knobs: Knob[], wanted: number[], solve: Solve, isFirst: boolean): { values: number[]; distance: number } {
  const distance = (values: number[]): number => {
    const p = solve(withKnobs(file, knobs, values));
    return p ? Math.hypot(p[0] - wanted[0], p[1] - wanted[1]) : Infinity;
  };
  let best = { values: valuesOf(file, knobs), distance: distance(valuesOf(file, knobs)) };
  if (isFirst) for (const values of grid(knobs)) best = better(best, { values, distance: distance(values) });
  for (let i = 0; i < 6; i++) {
    const next = step(file, knobs, best, wanted, solve, distance);
    if (!(next.distance < best.distance)) break;
    best = next;
  }
  return best;
}

type Guess = { values: number[]; distance: number };

function better(a: Guess, b: Guess): Guess {
  return b.distance < a.distance ? b : a;
}

function grid(knobs: Knob[]): number[][] {
  const along = (knob: Knob): number[] => Array.from({ length: GRID }, (_, i) => knob.min + ((knob.max - knob.min) * i) / (GRID - 1));
  if (knobs.length < 2) return knobs.length ? along(knobs[0]).map((x) => [x]) : [];
  return along(knobs[0]).flatMap((x) => along(knobs[1]).map((y) => [x, y]));
}

function clamp(value: number, { min, max }: Knob): number {
  return Math.min(max, Math.max(min, value));
}

function step(file: CaseFile, knobs: Knob[], at: Guess, wanted: number[], solve: Solve, distance: (v: number[]) => number): Guess {
  const p = solve(withKnobs(file, knobs, at.values));
  if (!p) return at;
  const miss = [wanted[0] - p[0], wanted[1] - p[1]];
  const columns = knobs.map((knob, i) => {
    const width = 1e-5 * (knob.max - knob.min);
    const by = at.values[i] + width > knob.max ? -width : width;
    const q = solve(withKnobs(file, knobs, at.values.map((v, k) => (k === i ? v + by : v))));
    return q ? [(q[0] - p[0]) / by, (q[1] - p[1]) / by] : [0, 0];
  });
  const move = leastSquares(columns, miss);
  let best = at;
  for (let part = 1; part > 0.05; part /= 2) {
    const values = at.values.map((v, i) => clamp(v + part * move[i], knobs[i]));
    best = better(best, { values, distance: distance(values) });
    if (best !== at) break;
  }
  return best;
}

const DAMPING = 1e-9; // of the largest column: keeps the equations solvable where a coefficient does nothing

function leastSquares(columns: number[][], miss: number[]): number[] {
  const dot = (a: number[], b: number[]): number => a[0] * b[0] + a[1] * b[1];
  if (columns.length === 1) return [dot(columns[0], miss) / (dot(columns[0], columns[0]) || 1)];
  const [a, b] = columns;
  const small = DAMPING * Math.max(dot(a, a), dot(b, b), 1e-300);
  const [aa, ab, bb] = [dot(a, a) + small, dot(a, b), dot(b, b) + small];
  const determinant = aa * bb - ab * ab;
  return [(bb * dot(a, miss) - ab * dot(b, miss)) / determinant, (aa * dot(b, miss) - ab * dot(a, miss)) / determinant];
}

// The border of what the law reaches when both coefficients sweep their ranges.
export function reachOf(file: CaseFile, knobs: Knob[], solve: Solve, points: number): number[][] {
  if (knobs.length === 0) return [];
  const at = (x: number, y: number): number[] | undefined => {
    const values = knobs.map((knob, i) => knob.min + (knob.max - knob.min) * (i === 0 ? x : y));
    return solve(withKnobs(file, knobs, values));
  };
  const side = Array.from({ length: points }, (_, i) => i / points);
  const border = knobs.length === 1 ? side.map((x) => [x, 0]) : [...side.map((x) => [x, 0]), ...side.map((x) => [1, x]), ...side.map((x) => [1 - x, 1]), ...side.map((x) => [0, 1 - x])];
  return border.map(([x, y]) => at(x, y)).filter((p) => p !== undefined);
}
