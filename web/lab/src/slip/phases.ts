// Compression phases of a path: where u_n < 0 lies between its zeros.
import type { TracePoint } from "../types";

export interface Phase {
  from: number; // p_n
  to: number;
}

const ROUNDING = 1e-12; // of the largest normal velocity: events where it is zero have that much of it left

export function compressions(points: TracePoint[]): Phase[] {
  const list: Phase[] = [];
  const zero = ROUNDING * Math.max(...points.map((point) => Math.abs(last(point.u))));
  let from: number | undefined;
  points.forEach((point, i) => {
    const [p, u] = [last(point.p), last(point.u)];
    if (u < -zero && from === undefined) from = i === 0 ? p : crossing(points[i - 1], point);
    if (u >= -zero && from !== undefined) {
      list.push({ from, to: crossing(points[i - 1], point) });
      from = undefined;
    }
  });
  if (from !== undefined) list.push({ from, to: last(points[points.length - 1].p) });
  return list;
}

function last(v: number[]): number {
  return v[v.length - 1];
}

function crossing(a: TracePoint, b: TracePoint): number {
  const [x0, x1, y0, y1] = [last(a.p), last(b.p), last(a.u), last(b.u)];
  return y1 === y0 ? x1 : x0 - (y0 * (x1 - x0)) / (y1 - y0);
}
