// What dragging does to a case.
import { armOf, bodyOf, isPlanar, seen, setAt, sourceOf, withSeen, withSpin } from "../case";
import type { CaseFile, Vector } from "../types";
import { rotate, type Point } from "./outline";

type Key = "a" | "b";

function size(file: CaseFile): number {
  return isPlanar(file) ? 2 : 3;
}

// About six digits: a dragged number can be read aloud.
export function tidy(value: number): number {
  return Number(value.toPrecision(5));
}

export function setVelocity(file: CaseFile, key: Key, velocity: Point): CaseFile {
  return setAt(file, `bodies.${key}.velocity`, withSeen(bodyOf(file, key).velocity, size(file), [tidy(velocity[0]), tidy(velocity[1])]));
}

export function setSpin(file: CaseFile, key: Key, spin: number): CaseFile {
  return setAt(file, `bodies.${key}.omega`, withSpin(bodyOf(file, key).omega, size(file), tidy(spin)));
}

export function radiusOf(file: CaseFile, key: Key): number | undefined {
  const shape = bodyOf(file, key).shape;
  const sizes = shape?.disk ?? shape?.sphere ?? shape?.["hollow-sphere"];
  return typeof sizes?.radius === "number" && (isPlanar(file) || !shape?.disk) ? sizes.radius : undefined;
}

// The normal, as an angle in the view. The arms of round bodies follow it.
export function setNormal(file: CaseFile, angle: number): CaseFile {
  const normal = withSeen([0, 0, 0], size(file), [tidy(Math.cos(angle)), tidy(Math.sin(angle))]);
  const length = Math.hypot(...normal);
  const unit = normal.map((x) => x / length);
  let changed = setAt(file, "contact.normal", unit);
  for (const key of ["a", "b"] as const) {
    const radius = radiusOf(file, key);
    if (radius !== undefined) changed = setAt(changed, `contact.arm_${key}`, unit.map((x) => (key === "a" ? -1 : 1) * radius * x));
  }
  return changed;
}

// The place of the contact point on A: the centre is moved about it. A body with a shape swings, another is free.
export function setCentre(file: CaseFile, centre: Point): CaseFile {
  const arm = armOf(file, "a");
  const old = seen(arm);
  const shape = bodyOf(file, "a").shape;
  const wanted: Point = [-centre[0], -centre[1]];
  if (!shape) return setAt(file, "contact.arm_a", withSeen(arm, size(file), [tidy(wanted[0]), tidy(wanted[1])]));
  const turn = Math.atan2(wanted[1], wanted[0]) - Math.atan2(old[1], old[0]);
  return isPlanar(file) ? swingPlanar(file, old, turn) : swing(file, arm, turn);
}

function swingPlanar(file: CaseFile, arm: Point, turn: number): CaseFile {
  const length = Math.hypot(...arm);
  const angle = Math.atan2(arm[1], arm[0]) + turn;
  return setAt(file, "contact.arm_a", [length * Math.cos(angle), length * Math.sin(angle)]);
}

// In space: a turn about minus y, which is anticlockwise in the view.
function swing(file: CaseFile, arm: Vector, turn: number): CaseFile {
  const by: Vector = [Math.cos(turn / 2), 0, -Math.sin(turn / 2), 0];
  const q = bodyOf(file, "a").orientation ?? [1, 0, 0, 0];
  const turned = unit(product(by, q));
  return setAt(setAt(file, "contact.arm_a", rotate(by, arm)), "bodies.a.orientation", turned);
}

function product([a, b, c, d]: Vector, [e, f, g, h]: Vector): Vector {
  return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g, a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e];
}

function unit(q: Vector): Vector {
  const length = Math.hypot(...q);
  return q.map((x) => x / length);
}

export function setSlip(file: CaseFile, u: Point): CaseFile {
  return setAt(file, "reduced.u", withSeen(file.reduced?.u, size(file), [tidy(u[0]), tidy(u[1])]));
}

// The tip of a two-link arm to a place, measured from the base: the elbow stays on its side.
export function setTip(file: CaseFile, tip: Point): CaseFile {
  const links = file.mechanism?.links;
  if (sourceOf(file) !== "links" || links?.length !== 2) return file;
  const [first, second] = [links[1].joint.origin?.[0] ?? 0, file.contact?.point?.[0] ?? 1];
  const distance = Math.min(Math.max(Math.hypot(...tip), Math.abs(first - second) + 1e-3), first + second - 1e-3);
  const bend = Math.acos((distance * distance - first * first - second * second) / (2 * first * second));
  const side = (file.mechanism?.q?.[1] ?? -1) < 0 ? -1 : 1;
  const shoulder = Math.atan2(tip[1], tip[0]) - Math.atan2(second * Math.sin(side * bend), first + second * Math.cos(side * bend));
  return setAt(file, "mechanism.q", [tidy(shoulder), tidy(side * bend)]);
}
