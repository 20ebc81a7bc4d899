// A plane with axes, drawn as SVG: scales, ticks, grid, labels.
import { s } from "./dom";

export type Pair = [number, number];

export interface Box {
  x: Pair;
  y: Pair;
}

const LEFT = 34; // and room for the longest number
const BOTTOM = 42;
const TOP = 12;
const RIGHT = 14;

// About so many round numbers in an interval.
export function ticks([from, to]: Pair, count: number): number[] {
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= raw) ?? 10);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function label(value: number): string {
  return String(value).replace("-", "\u2212");
}

// A box grown to the shape of the window, so that both axes have the same scale.
export function square(box: Box, width: number, height: number): Box {
  const scale = Math.max((box.x[1] - box.x[0]) / width, (box.y[1] - box.y[0]) / height) || 1;
  const grow = ([a, b]: Pair, room: number): Pair => [(a + b - scale * room) / 2, (a + b + scale * room) / 2];
  return { x: grow(box.x, width), y: grow(box.y, height) };
}

export class Plane {
  readonly inner: { x: number; y: number; width: number; height: number };
  readonly box: Box;

  constructor(readonly width: number, readonly height: number, box: Box, isSquare: boolean) {
    const left = LEFT + 7 * Math.max(...ticks(box.y, height / 60).map((y) => label(y).length), 2);
    this.inner = { x: left, y: TOP, width: Math.max(width - left - RIGHT, 10), height: Math.max(height - TOP - BOTTOM, 10) };
    this.box = isSquare ? square(box, this.inner.width, this.inner.height) : box;
  }

  at([x, y]: readonly number[]): Pair {
    const { box, inner } = this;
    return [inner.x + (inner.width * (x - box.x[0])) / (box.x[1] - box.x[0]), inner.y + (inner.height * (box.y[1] - y)) / (box.y[1] - box.y[0])];
  }

  from([px, py]: readonly number[]): Pair {
    const { box, inner } = this;
    return [box.x[0] + ((px - inner.x) / inner.width) * (box.x[1] - box.x[0]), box.y[1] - ((py - inner.y) / inner.height) * (box.y[1] - box.y[0])];
  }

  points(list: readonly (readonly number[])[]): string {
    return list.map((p) => this.at(p)).filter((p) => p.every(Number.isFinite)).map((p) => `${clamp(p[0])},${clamp(p[1])}`).join(" ");
  }

  line(list: readonly (readonly number[])[], className: string): SVGElement {
    return s("polyline", { points: this.points(list), class: className });
  }

  // A straight line through a point, from border to border.
  through(point: Pair, direction: Pair): Pair[] {
    const far = (2 * (Math.abs(this.box.x[1] - this.box.x[0]) + Math.abs(this.box.y[1] - this.box.y[0])) + 2 * Math.hypot(...point)) / (Math.hypot(...direction) || 1);
    return [[point[0] - far * direction[0], point[1] - far * direction[1]], [point[0] + far * direction[0], point[1] + far * direction[1]]];
  }

  // Grid, ticks and the names of the axes.
  axes(nameX: SVGElement, nameY: SVGElement): SVGElement {
    const { inner, box } = this;
    const group = s("g", { class: "axes" });
    const [bottom, right] = [inner.y + inner.height, inner.x + inner.width];
    for (const x of ticks(box.x, inner.width / 80)) {
      const [px] = this.at([x, 0]);
      group.append(s("line", { x1: px, x2: px, y1: inner.y, y2: bottom, class: x === 0 ? "zero" : "grid" }), s("text", { x: px, y: bottom + 17, "text-anchor": "middle" }, label(x)));
    }
    for (const y of ticks(box.y, inner.height / 60)) {
      const [, py] = this.at([0, y]);
      group.append(s("line", { x1: inner.x, x2: right, y1: py, y2: py, class: y === 0 ? "zero" : "grid" }), s("text", { x: inner.x - 7, y: py + 4, "text-anchor": "end" }, label(y)));
    }
    nameX.setAttribute("transform", `translate(${inner.x + inner.width / 2} ${this.height - 6})`);
    nameY.setAttribute("transform", `translate(13 ${inner.y + inner.height / 2}) rotate(-90)`);
    group.append(s("rect", { x: inner.x, y: inner.y, width: inner.width, height: inner.height, class: "border" }), nameX, nameY);
    return group;
  }

  clip(id: string): SVGElement {
    const { x, y, width, height } = this.inner;
    return s("clipPath", { id }, s("rect", { x, y, width, height }));
  }
}

function clamp(value: number): string {
  return Math.max(-1e5, Math.min(1e5, value)).toFixed(2);
}

// The name of an axis: "normal impulse", p, n, "N s".
export function axisName(words: string, letter: string, below: string, unit: string): SVGElement {
  const sub = below ? s("tspan", { dy: 4, "font-size": 10 }, below) : "";
  return s("text", { class: "axis-name", "text-anchor": "middle" }, `${words} `, s("tspan", { class: "math" }, letter), sub, s("tspan", { dy: below ? -4 : 0 }, ` (${unit})`));
}
