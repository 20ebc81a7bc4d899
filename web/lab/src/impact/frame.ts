// Metres to pixels and back, for the side view.
import type { Point } from "./outline";
import type { Picture } from "./picture";

export interface Frame {
  width: number;
  height: number;
  origin: Point; // px: the contact point
  scale: number; // px per metre
}

const MARGIN = 1.28; // of the reach, from the contact point to the nearer border

// The contact lies a little aside of the middle, so that the body is in it.
export function frameOf(width: number, height: number, { reach, hasFloor, bodies }: Picture): Frame {
  const room = Math.min(width / 2, hasFloor ? 0.7 * height : 0.5 * height);
  const scale = room / (MARGIN * reach);
  const aside = bodies.length === 1 ? 0.7 * scale * bodies[0].centre[0] : 0;
  return { width, height, scale, origin: [width / 2 - aside, hasFloor ? 0.75 * height : 0.5 * height] };
}

export function toPixels(frame: Frame, [x, y]: Point): Point {
  return [frame.origin[0] + frame.scale * x, frame.origin[1] - frame.scale * y];
}

export function toWorld(frame: Frame, [x, y]: Point): Point {
  return [(x - frame.origin[0]) / frame.scale, (frame.origin[1] - y) / frame.scale];
}
