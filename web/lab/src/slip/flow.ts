// The slip plane: how the slip velocity moves while the contact slides. docs/theory/slip-flow.md has the equations.
import type { Pair } from "../plot";

export interface SlipProblem {
  M: [[number, number], [number, number]]; // tangential block of K
  b: Pair; // coupling
  k: number; // K_nn
  mu: number;
}

export interface Rates {
  f: number; // r dtheta/dp
  g: number; // dr/dp
  h: number; // du_n/dp
}

export function slipProblem(K: number[][], mu: number): SlipProblem {
  return { M: [[K[0][0], K[0][1]], [K[1][0], K[1][1]]], b: [K[0][2], K[1][2]], k: K[2][2], mu };
}

export function rates({ M, b, k, mu }: SlipProblem, theta: number): Rates {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  const [mx, my] = [M[0][0] * c + M[0][1] * s, M[1][0] * c + M[1][1] * s];
  return { g: b[0] * c + b[1] * s - mu * (c * mx + s * my), f: -b[0] * s + b[1] * c - mu * (-s * mx + c * my), h: k - mu * (b[0] * c + b[1] * s) };
}

// du_t/dp = b - mu M c while the contact slides.
export function drift(problem: SlipProblem, u: Pair): Pair {
  const r = Math.hypot(...u);
  if (!(r > 0)) return [0, 0];
  const [c, s] = [u[0] / r, u[1] / r];
  const { M, b, mu } = problem;
  return [b[0] - mu * (M[0][0] * c + M[0][1] * s), b[1] - mu * (M[1][0] * c + M[1][1] * s)];
}

export interface Ray {
  theta: number;
  kind: "converging" | "diverging" | "stationary";
  attracts: boolean;
}

const SCAN = 720;

// Directions that slip keeps: zeros of f, found by signs and bisection. A sphere keeps every direction.
export function rays(problem: SlipProblem): Ray[] {
  const f = (theta: number): number => rates(problem, theta).f;
  const scale = Math.max(...Array.from({ length: 16 }, (_, i) => Math.abs(f((i * Math.PI) / 8))), 0);
  const size = Math.max(Math.hypot(...problem.b), problem.mu * Math.abs(problem.M[0][0]), 1e-300);
  if (scale < 1e-12 * size) return [];
  const found: Ray[] = [];
  const offset = 0.123 / SCAN; // keeps rays along the axes off the grid of the scan
  for (let i = 0; i < SCAN; i++) {
    const [a, b] = [i, i + 1].map((n) => (2 * Math.PI * (n + offset)) / SCAN);
    if (f(a) * f(b) < 0) found.push(ray(problem, bisect(f, a, b), f(a) > 0));
  }
  return found;
}

function bisect(f: (x: number) => number, a: number, b: number): number {
  const sign = Math.sign(f(a));
  for (let i = 0; i < 60; i++) {
    const middle = (a + b) / 2;
    if (Math.sign(f(middle)) === sign) a = middle;
    else b = middle;
  }
  return ((a + b) / 2 + 2 * Math.PI) % (2 * Math.PI);
}

function ray(problem: SlipProblem, theta: number, attracts: boolean): Ray {
  const { g } = rates(problem, theta);
  return { theta, kind: g < 0 ? "converging" : g > 0 ? "diverging" : "stationary", attracts };
}

// Slip that starts in direction theta runs to the next ray in the direction of f, and rests when that ray converges.
export function comesToRest(problem: SlipProblem, list: Ray[], theta: number): boolean {
  const { f, g } = rates(problem, theta);
  if (list.length === 0) return g < 0;
  const ahead = (ray: Ray): number => (((f > 0 ? ray.theta - theta : theta - ray.theta) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
  const next = list.reduce((a, b) => (ahead(b) < ahead(a) ? b : a));
  return next.kind === "converging";
}

// A streamline by steps of equal length in the plane (Runge-Kutta 4): for the picture, not for numbers.
export function streamline(problem: SlipProblem, start: Pair, reach: number): Pair[] {
  const step = reach / 120;
  const direction = (u: Pair): Pair => {
    const d = drift(problem, u);
    const length = Math.hypot(...d);
    return length > 0 ? [d[0] / length, d[1] / length] : [0, 0];
  };
  const points: Pair[] = [start];
  let u = start;
  for (let i = 0; i < 400; i++) {
    const a = direction(u);
    const b = direction([u[0] + (step / 2) * a[0], u[1] + (step / 2) * a[1]]);
    const c = direction([u[0] + (step / 2) * b[0], u[1] + (step / 2) * b[1]]);
    const d = direction([u[0] + step * c[0], u[1] + step * c[1]]);
    const next: Pair = [u[0] + (step / 6) * (a[0] + 2 * b[0] + 2 * c[0] + d[0]), u[1] + (step / 6) * (a[1] + 2 * b[1] + 2 * c[1] + d[1])];
    if (Math.hypot(...next) < 1.5 * step) return [...points, [0, 0]];
    if (Math.hypot(...next) > 2.2 * reach) return [...points, next];
    points.push(next);
    u = next;
  }
  return points;
}

export function sticks({ M, b, mu }: SlipProblem): boolean {
  const determinant = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  if (!(determinant > 0)) return false;
  const a = [(M[1][1] * b[0] - M[0][1] * b[1]) / determinant, (M[0][0] * b[1] - M[1][0] * b[0]) / determinant];
  return Math.hypot(...a) <= mu;
}
