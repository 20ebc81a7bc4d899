// The plane of impulses: shapes from K, u and mu. docs/theory/impulse-space.md has the equations.
import type { Pair } from "../plot";
import type { Answer, CaseFile } from "../types";

export interface Problem {
  tt: number;
  tn: number;
  nn: number;
  u: Pair; // t, n
  mu: number;
  isSlice: boolean; // a slice of a spatial problem through n and the slip
  toPlane(v: number[]): Pair; // an impulse of an answer, in this plane
}

// The planar problem of an answer. In space: the slice through n and the slip before, unless it is planar anyway.
export function problemOf(answer: Answer, file: CaseFile): Problem | undefined {
  const { K, u } = contactOf(answer, file);
  const mu = file.coefficients?.mu ?? 0.3;
  if (!K || !u) return undefined;
  if (u.length === 2) return { tt: K[0][0], tn: K[0][1], nn: K[1][1], u: [u[0], u[1]], mu, isSlice: false, toPlane: (v) => [v[0], v[1]] };
  const isPlanar = K[0][1] === 0 && K[1][2] === 0 && u[1] === 0;
  const slip = Math.hypot(u[0], u[1]);
  const [c, sn] = isPlanar || slip === 0 ? [1, 0] : [u[0] / slip, u[1] / slip];
  const tt = c * c * K[0][0] + 2 * c * sn * K[0][1] + sn * sn * K[1][1];
  const tn = c * K[0][2] + sn * K[1][2];
  return { tt, tn, nn: K[2][2], u: [c * u[0] + sn * u[1], u[2]], mu, isSlice: !isPlanar, toPlane: (v) => [c * v[0] + sn * v[1], v[2]] };
}

// K and u in the contact frame: of the answer, or, where the case gives them, of the case.
export function contactOf(answer: Answer | undefined, file: CaseFile): { K?: number[][]; u?: number[] } {
  const { reduced } = file;
  return { K: answer?.K ?? reduced?.K ?? (reduced?.M && inverse(reduced.M)), u: answer?.u ?? reduced?.u };
}

// Of a symmetric 2 by 2 or 3 by 3 matrix, by cofactors: for the picture.
export function inverse(m: number[][]): number[][] {
  const minor = (r: number, c: number): number => {
    const rows = m.filter((_, i) => i !== r).map((row) => row.filter((_, i) => i !== c));
    return rows.length === 1 ? rows[0][0] : rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0];
  };
  const cofactor = (r: number, c: number): number => ((r + c) % 2 ? -1 : 1) * minor(r, c);
  const determinant = m[0].reduce((sum, x, c) => sum + x * cofactor(0, c), 0);
  return m.map((row, r) => row.map((_, c) => cofactor(c, r) / determinant));
}

// Along p = s d: where compression ends, and where all energy is back.
export function compressionAt(k: Problem, [t, n]: Pair): number {
  return -k.u[1] / (k.tn * t + k.nn * n);
}

export function energyAt(k: Problem, [t, n]: Pair): number {
  return (-2 * (t * k.u[0] + n * k.u[1])) / (k.tt * t * t + 2 * k.tn * t * n + k.nn * n * n);
}

const STEPS = 240;
const FAR = 1e6; // times the size of the picture: an end of a strip

// The curve of no change of energy: an ellipse through the origin, or a strip where K is singular.
export function energyCurve(k: Problem): Pair[] {
  const against = Math.atan2(-k.u[1], -k.u[0]);
  const points: Pair[] = [];
  for (let i = 0; i <= STEPS; i++) {
    const angle = against - Math.PI / 2 + (Math.PI * i) / STEPS;
    const d: Pair = [Math.cos(angle), Math.sin(angle)];
    const size = i === 0 || i === STEPS ? 0 : energyAt(k, d);
    if (size >= 0 && size < FAR) points.push([size * d[0], size * d[1]]);
  }
  return points;
}

// The accessible region: between compression and energy, inside the cone. Directions are angles from n towards t.
export function region(k: Problem): Pair[] {
  if (!(k.u[1] < 0)) return [];
  const most = Math.atan(k.mu);
  const inner: Pair[] = [];
  const outer: Pair[] = [];
  for (let i = 0; i <= STEPS; i++) {
    const angle = -most + (2 * most * i) / STEPS;
    const d: Pair = [Math.sin(angle), Math.cos(angle)];
    const [from, to] = [compressionAt(k, d), Math.min(energyAt(k, d), FAR)];
    if (!(from >= 0) || !(to >= from)) continue;
    inner.push([from * d[0], from * d[1]]);
    outer.push([to * d[0], to * d[1]]);
  }
  return [...inner, ...outer.reverse()];
}

// Two points: u_t = 0 and u_n = 0 as lines through a point with a direction.
export function stickingLine(k: Problem): { point: Pair; direction: Pair } | undefined {
  if (!(k.tt > 0)) return undefined;
  return { point: [-k.u[0] / k.tt, 0], direction: [-k.tn / k.tt, 1] };
}

// u_n + K_tn p_t + K_nn p_n = value.
export function normalLine(k: Problem, value: number): { point: Pair; direction: Pair } | undefined {
  const length = k.tn * k.tn + k.nn * k.nn;
  if (!(length > 0)) return undefined;
  const by = (value - k.u[1]) / length;
  return { point: [by * k.tn, by * k.nn], direction: [k.nn, -k.tn] };
}

// What should be in sight: the ellipse where it is bounded, the answers, the origin.
export function boxOf(k: Problem, answers: Pair[]): { x: Pair; y: Pair } {
  const size = Math.max(...answers.map((p) => Math.hypot(...p)), 1e-12);
  const curve = energyCurve(k).filter((p) => Math.hypot(...p) < 4 * size);
  const all = [...answers, ...curve, [0, 0] as Pair];
  const range = (i: 0 | 1): Pair => {
    const values = all.map((p) => p[i]);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const margin = 0.08 * (high - low || size);
    return [low - margin, high + margin];
  };
  return { x: range(0), y: range(1) };
}
