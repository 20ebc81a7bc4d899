// Drawing the side view: bodies, floor, arrows, trails.
import { s } from "../dom";
import { toPixels, type Frame } from "./frame";
import { arcOf, type Scales } from "./handles";
import type { Point } from "./outline";
import { jointsOf, type BodyPicture, type Motion, type Picture } from "./picture";

export const GHOSTS = [-1, -2 / 3, -1 / 3, 1 / 3, 2 / 3, 1]; // times of the trail, in units of the shown time

function list(points: Point[]): string {
  return points.map((p) => `${p[0].toFixed(2)},${p[1].toFixed(2)}`).join(" ");
}

export function arrow(from: Point, to: Point, className: string): SVGElement {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (!(length > 1) || !Number.isFinite(length)) return s("g");
  const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const head = Math.min(9, 0.6 * length);
  const neck: Point = [to[0] - head * ux, to[1] - head * uy];
  const wing = 0.38 * head;
  const tip = list([to, [neck[0] - wing * uy, neck[1] + wing * ux], [neck[0] + wing * uy, neck[1] - wing * ux]]);
  return s("g", { class: `arrow ${className}` }, s("line", { x1: from[0], y1: from[1], x2: neck[0], y2: neck[1] }), s("polygon", { points: tip }));
}

// Where the centre and the outline of a body are at a time; negative times are before the impact.
function at(body: BodyPicture, time: number): { centre: Point; outline: Point[] } {
  const motion: Motion = time < 0 ? body.before : (body.after ?? body.before);
  const centre: Point = [body.centre[0] + motion.velocity[0] * time, body.centre[1] + motion.velocity[1] * time];
  const [c, sn] = [Math.cos(motion.spin * time), Math.sin(motion.spin * time)];
  return { centre, outline: body.outline.map(([x, y]) => [centre[0] + c * x - sn * y, centre[1] + sn * x + c * y]) };
}

const FLOOR_STEPS = 48;
const FLOOR_DEPTH = 0.02; // of the reach: how far a picture may dip into the floor

// How long the bodies stay above the floor after (sign 1) or were above it before (sign -1) the impact, up to time.
export function clearTime(picture: Picture, time: number, sign: 1 | -1): number {
  if (!picture.hasFloor || picture.arm) return time;
  const [nx, ny] = picture.normal;
  for (let i = 1; i <= FLOOR_STEPS; i++) {
    const t = (time * i) / FLOOR_STEPS;
    const isBelow = picture.bodies.some((body) => at(body, sign * t).outline.some(([x, y]) => nx * x + ny * y < -FLOOR_DEPTH * picture.reach));
    if (isBelow) return Math.max((time * (i - 1)) / FLOOR_STEPS, 0.1 * time);
  }
  return time;
}

export function bodyShape(frame: Frame, body: BodyPicture, time: number, className: string): SVGElement {
  const { centre, outline } = at(body, time);
  const points = outline.map((p) => toPixels(frame, p));
  const shape = points.length === 2 ? s("polyline", { points: list(points), class: "rod" }) : s("polygon", { points: list(points) });
  const mark = toPixels(frame, centre);
  const spoke = points.length > 20 ? s("line", { x1: mark[0], y1: mark[1], x2: points[0][0], y2: points[0][1], class: "spoke" }) : s("g");
  return s("g", { class: `body ${className}` }, shape, spoke);
}

// The paths of the centres.
function paths(frame: Frame, picture: Picture, spans: Spans): SVGElement {
  const lines = picture.bodies.flatMap((body) =>
    [[-spans.before, 0], [0, spans.after]].map(([from, to], i) =>
      s("polyline", { points: list([from, to - (i ? 0 : 1e-9)].map((t) => toPixels(frame, at(body, t).centre))), class: i ? "path after" : "path before" })));
  return s("g", {}, ...lines);
}

// The times that are shown before and after the impact.
export interface Spans {
  before: number;
  after: number;
}

// A part of them: -1 is the first moment, 1 the last.
export function timeAt(spans: Spans, part: number): number {
  return part * (part < 0 ? spans.before : spans.after);
}

export function trails(frame: Frame, picture: Picture, spans: Spans): SVGElement {
  if (picture.arm) return armTrails(frame, picture, spans);
  const ghosts = picture.bodies.flatMap((body) => GHOSTS.map((part) => bodyShape(frame, body, timeAt(spans, part), `ghost ${part < 0 ? "before" : "after"}`)));
  return s("g", { class: "trails" }, ...ghosts, paths(frame, picture, spans));
}

export function floor(frame: Frame, picture: Picture): SVGElement {
  const [nx, ny] = [picture.normal[0], -picture.normal[1]];
  const along: Point = [-ny, nx];
  const half = Math.hypot(frame.width, frame.height);
  const [x, y] = frame.origin;
  const group = s("g", { class: "floor" });
  group.append(s("polygon", { points: list([[x - half * along[0], y - half * along[1]], [x + half * along[0], y + half * along[1]], [x + half * (along[0] - nx), y + half * (along[1] - ny)], [x - half * (along[0] + nx), y - half * (along[1] + ny)]]) }));
  group.append(s("line", { x1: x - half * along[0], y1: y - half * along[1], x2: x + half * along[0], y2: y + half * along[1] }));
  return group;
}

export function spinArc(frame: Frame, body: BodyPicture, motion: Motion, scales: Scales, className: string): SVGElement {
  const sweep = arcOf(motion.spin, scales);
  const radius = className === "after" ? 0.82 * scales.arc : scales.arc;
  const steps = Math.max(2, Math.ceil(Math.abs(sweep) * 12));
  const points = Array.from({ length: steps + 1 }, (_, i): Point => {
    const angle = Math.PI / 2 + (sweep * i) / steps;
    return toPixels(frame, [body.centre[0] + radius * Math.cos(angle), body.centre[1] + radius * Math.sin(angle)]);
  });
  const group = s("g", { class: `spin ${className}` }, s("polyline", { points: list(points) }));
  if (Math.abs(sweep) > 0.15) group.append(arrow(points[points.length - 2], extend(points[points.length - 2], points[points.length - 1]), className));
  return group;
}

// A short piece beyond the end of an arc, for its arrow head.
function extend(a: Point, b: Point): Point {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
  return [a[0] + ((b[0] - a[0]) * 9) / length, a[1] + ((b[1] - a[1]) * 9) / length];
}

// ---- arms ----

function armLine(frame: Frame, picture: Picture, q: number[], className: string): SVGElement {
  const arm = picture.arm!;
  const home = jointsOf(arm, arm.q);
  const tip = home[home.length - 1];
  const points = jointsOf(arm, q).map((p) => toPixels(frame, [p[0] - tip[0], p[1] - tip[1]]));
  const joints = className.startsWith("ghost") ? [] : points.slice(0, -1).map((p) => s("circle", { cx: p[0], cy: p[1], r: 4 }));
  return s("g", { class: `body ${className}` }, s("polyline", { points: list(points), class: "rod" }), ...joints);
}

export function armAt(frame: Frame, picture: Picture, time: number, className: string): SVGElement {
  const arm = picture.arm!;
  const rates = time < 0 ? arm.before : (arm.after ?? arm.before);
  return armLine(frame, picture, arm.q.map((q, i) => q + (rates[i] ?? 0) * time), className);
}

function armTrails(frame: Frame, picture: Picture, spans: Spans): SVGElement {
  return s("g", { class: "trails" }, ...GHOSTS.map((part) => armAt(frame, picture, timeAt(spans, part), `ghost ${part < 0 ? "before" : "after"}`)));
}
