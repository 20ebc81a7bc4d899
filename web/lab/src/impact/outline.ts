// The outline of a body in the side view: its points, turned, projected and wrapped by their convex hull.
import type { BodyFile, Vector } from "../types";

export type Point = [number, number];

const ROUND = 48; // points of a circle

function circle(radius: number, place: (x: number, y: number) => Vector): Vector[] {
  return Array.from({ length: ROUND }, (_, i) => place(radius * Math.cos((2 * Math.PI * i) / ROUND), radius * Math.sin((2 * Math.PI * i) / ROUND)));
}

function corners(size: Vector): Vector[] {
  const [x, y, z] = size.map((length) => length / 2);
  if (size.length === 2) return [[-x, -y], [x, -y], [x, y], [-x, y]];
  return [-x, x].flatMap((a) => [-y, y].flatMap((b) => [-z, z].map((c) => [a, b, c])));
}

function ball(axes: Vector): Vector[] {
  const rings: Vector[] = [];
  for (let i = 0; i <= 16; i++) {
    const polar = (Math.PI * i) / 16;
    rings.push(...circle(Math.sin(polar), (x, y) => [axes[0] * x, axes[1] * y, axes[2] * Math.cos(polar)]));
  }
  return rings;
}

type Sizes = Record<string, number> & { size: Vector; semi_axes: Vector; points: Vector[] };

// Points whose hull is the body, in body axes, for the shapes of a spatial case.
const SOLIDS: Record<string, (s: Sizes) => Vector[]> = {
  sphere: (s) => ball([s.radius, s.radius, s.radius]),
  "hollow-sphere": (s) => ball([s.radius, s.radius, s.radius]),
  ellipsoid: (s) => ball(s.semi_axes),
  box: (s) => corners(s.size),
  rod: (s) => [[0, 0, -s.length / 2], [0, 0, s.length / 2]],
  cylinder: (s) => [-0.5, 0.5].flatMap((end) => circle(s.radius, (x, y) => [x, y, end * s.length])),
  capsule: (s) => [-0.5, 0.5].flatMap((end) => ball([s.radius, s.radius, s.radius]).map(([x, y, z]) => [x, y, z + end * s.length])),
  disk: (s) => [-0.5, 0.5].flatMap((end) => circle(s.radius, (x, y) => [x, y, end * (s.thickness ?? 0)])),
  cone: (s) => [[0, 0, 0.75 * s.height], ...circle(s.radius, (x, y) => [x, y, -0.25 * s.height])],
  hull: (s) => s.points,
};

export function rotate([w, x, y, z]: Vector, v: Vector): Vector {
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
  return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]];
}

// The convex hull by Andrew's monotone chain.
export function hull(points: Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const p of list) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= 0) chain.pop();
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// A planar case says nothing of how its bodies are turned: a rod and a box are drawn so that their end or corner is the
// contact point.
function planar(word: string, s: Sizes, arm: Point): Point[] {
  const angle = Math.atan2(arm[1], arm[0]);
  const spin = (by: number, points: Vector[]): Point[] => points.map(([x, y]) => [x * Math.cos(by) - y * Math.sin(by), x * Math.sin(by) + y * Math.cos(by)]);
  if (word === "disk") return circle(s.radius, (x, y) => [x, y]) as Point[];
  if (word === "rod") return spin(angle, [[-s.length / 2, 0], [s.length / 2, 0]]);
  if (word === "box") return spin(angle - Math.atan2(-s.size[1], -s.size[0]), corners(s.size));
  return [];
}

// How far the mass of a body lies from its centre: the size of a body without a shape.
function gyration(body: BodyFile): number {
  const inertia = typeof body.inertia === "number" ? body.inertia : Array.isArray(body.inertia) ? (body.inertia.flat()[0] ?? 0) : 0;
  return Math.sqrt(inertia / (body.mass ?? 1)) || 0;
}

// A body without a shape: a drop with its tip at the contact point, as wide as its inertia suggests and the plane of
// contact allows.
function drop(body: BodyFile, arm: Point, normal: Point): Point[] {
  const height = Math.abs(arm[0] * normal[0] + arm[1] * normal[1]);
  const width = 1.4 * gyration(body) || 0.6 * Math.hypot(...arm) || 1;
  const radius = height > 0 ? Math.min(width, 0.96 * height) : width;
  return hull([...(circle(radius, (x, y) => [x, y]) as Point[]), arm]);
}

// The outline around the centre of the body; two points are a rod.
export function outlineOf(body: BodyFile, arm: Point, normal: Point, isPlanar: boolean): Point[] {
  const [word] = Object.keys(body.shape ?? {});
  const sizes = (word ? body.shape?.[word] : {}) as Sizes;
  try {
    if (word && isPlanar) return nonempty(planar(word, sizes, arm)) ?? drop(body, arm, normal);
    if (word && SOLIDS[word]) {
      const turned = SOLIDS[word](sizes).map((p) => rotate(body.orientation ?? [1, 0, 0, 0], p));
      return nonempty(hull(turned.map((p) => [p[0], p[2]]))) ?? drop(body, arm, normal);
    }
  } catch {
    // A shape with wrong sizes is refused by the library; here it is drawn as a body without a shape.
  }
  return drop(body, arm, normal);
}

function nonempty(points: Point[]): Point[] | undefined {
  return points.length > 0 && points.every((p) => p.every(Number.isFinite)) ? points : undefined;
}
