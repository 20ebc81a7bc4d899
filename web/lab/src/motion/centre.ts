// The centre of mass of shapes that are given from any origin. The position of a body is that of its centre of mass.
import type { Vector } from "../types";

type Shape = Record<string, Record<string, unknown>>;
type Sizes = Record<string, number> & { size: Vector; semi_axes: Vector; points: Vector[] };

const VOLUMES: Record<string, (s: Sizes) => number> = {
  sphere: (s) => (4 / 3) * Math.PI * s.radius ** 3,
  "hollow-sphere": (s) => (4 / 3) * Math.PI * (s.radius ** 3 - s.inner ** 3),
  box: (s) => s.size.reduce((a, b) => a * b, 1),
  cylinder: (s) => Math.PI * s.radius ** 2 * s.length,
  capsule: (s) => Math.PI * s.radius ** 2 * (s.length + (4 / 3) * s.radius),
  cone: (s) => (Math.PI / 3) * s.radius ** 2 * s.height,
  ellipsoid: (s) => (4 / 3) * Math.PI * s.semi_axes.reduce((a, b) => a * b, 1),
  disk: (s) => Math.PI * s.radius ** 2 * (s.thickness || 1),
};

interface Part {
  shape: Shape;
  position?: Vector;
  density?: number;
}

export function centreOf(shape: Shape | undefined): number[] {
  if (shape?.compound) return compound((shape.compound.parts ?? []) as unknown as Part[]);
  if (shape?.polygon) return polygon(shape.polygon.points as unknown as Vector[]);
  return [0, 0, 0];
}

function compound(parts: Part[]): number[] {
  let mass = 0;
  const moment = [0, 0, 0];
  for (const part of parts) {
    const [word] = Object.keys(part.shape);
    const own = (part.density ?? 1) * (VOLUMES[word]?.(part.shape[word] as Sizes) ?? 0);
    mass += own;
    (part.position ?? [0, 0, 0]).forEach((x, i) => (moment[i] += own * x));
  }
  return mass > 0 ? moment.map((x) => x / mass) : [0, 0, 0];
}

// By the shoelace formula.
function polygon(points: Vector[]): number[] {
  let [area, x, y] = [0, 0, 0];
  points.forEach((a, i) => {
    const b = points[(i + 1) % points.length];
    const cross = a[0] * b[1] - b[0] * a[1];
    area += cross;
    x += (a[0] + b[0]) * cross;
    y += (a[1] + b[1]) * cross;
  });
  return area === 0 ? [0, 0, 0] : [x / (3 * area), y / (3 * area), 0];
}
