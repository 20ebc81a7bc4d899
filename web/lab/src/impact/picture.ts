// What the side view of a case shows, as numbers: bodies, contact, velocities. The contact point is the origin.
import { armOf, bodyOf, isPlanar, seen, seenSpin, sourceOf } from "../case";
import type { Answer, CaseFile, LinkFile, Vector } from "../types";
import { outlineOf, type Point } from "./outline";

export interface Motion {
  velocity: Point;
  spin: number; // rad/s, anticlockwise in the view
}

export interface BodyPicture {
  key: "a" | "b";
  centre: Point;
  outline: Point[]; // around the centre
  before: Motion;
  after?: Motion;
}

export interface ArmPicture {
  q: Vector;
  before: Vector;
  after?: Vector;
  links: LinkFile[];
  point: Vector; // of the last link
}

export interface Picture {
  bodies: BodyPicture[];
  arm?: ArmPicture;
  normal: Point;
  impulse?: Point;
  slip?: { before: Point; after?: Point }; // K and u alone: relative velocities in the contact frame
  hasFloor: boolean; // B is immovable: drawn as a floor
  reach: number; // half the size of what is shown, m
  fastest: number; // m/s, before
}

function bodyPicture(file: CaseFile, key: "a" | "b", answer?: Answer): BodyPicture {
  const body = bodyOf(file, key);
  const arm = seen(armOf(file, key));
  const after = answer?.bodies?.[key];
  return {
    key,
    centre: [-arm[0], -arm[1]],
    outline: outlineOf(body, arm, unit(seen(file.contact?.normal ?? [0, 1])), isPlanar(file)),
    before: { velocity: seen(body.velocity), spin: seenSpin(body.omega) },
    after: after && { velocity: seen(after.velocity), spin: seenSpin(after.omega) },
  };
}

const NONE: Picture = { bodies: [], normal: [0, 1], hasFloor: false, reach: 1, fastest: 1 };

export function pictureOf(file: CaseFile, answer?: Answer): Picture {
  const source = sourceOf(file);
  if (source === "links") return armPicture(file, answer);
  if (source === "bodies") return bodiesPicture(file, answer);
  return { ...NONE, ...slipPicture(file, answer) };
}

function slipPicture(file: CaseFile, answer?: Answer): Partial<Picture> {
  const before = seen(file.reduced?.u ?? answer?.u);
  return { slip: { before, after: answer?.u_after && seen(answer.u_after) }, impulse: answer?.p && seen(answer.p), fastest: Math.max(Math.hypot(...before), 1e-12) };
}

function bodiesPicture(file: CaseFile, answer?: Answer): Picture {
  const hasFloor = bodyOf(file, "b").fixed === true && !bodyOf(file, "b").shape;
  const bodies = [bodyPicture(file, "a", answer), ...(hasFloor ? [] : [bodyPicture(file, "b", answer)])];
  const reach = Math.max(...bodies.flatMap((b) => b.outline.map((p) => Math.hypot(p[0] + b.centre[0], p[1] + b.centre[1]))), 1e-12);
  return {
    bodies, hasFloor, reach,
    normal: unit(seen(file.contact?.normal ?? [0, 1])),
    impulse: answer?.impulse && seen(answer.impulse),
    fastest: Math.max(...bodies.map((b) => Math.hypot(...b.before.velocity)), 1e-12),
  };
}

function unit(v: Point): Point {
  const length = Math.hypot(...v);
  return length > 0 ? [v[0] / length, v[1] / length] : [0, 1];
}

// An arm moves in x and y. Its joints turn about z.
function armPicture(file: CaseFile, answer?: Answer): Picture {
  const m = file.mechanism!;
  const links = m.links!;
  const normal = file.contact?.normal ?? [0, 1, 0];
  const impulse = answer?.impulse;
  const arm: ArmPicture = { q: m.q ?? [], before: m.qdot ?? [], after: answer?.qdot_after, links, point: file.contact?.point ?? [0, 0, 0] };
  const joints = jointsOf(arm, arm.q);
  const tip = joints[joints.length - 1];
  const reach = Math.max(...joints.map((p) => Math.hypot(p[0] - tip[0], p[1] - tip[1])), 1e-12);
  return { bodies: [], arm, hasFloor: true, reach, fastest: 1, normal: unit([normal[0], normal[1]]), impulse: impulse && [impulse[0], impulse[1]] };
}

// Joints and, last, the tip, from the base, which is at the origin of the world.
export function jointsOf(arm: ArmPicture, q: Vector): Point[] {
  let place: Point = [0, 0];
  let angle = 0;
  const points: Point[] = [];
  const step = (v: Vector): Point => [place[0] + v[0] * Math.cos(angle) - v[1] * Math.sin(angle), place[1] + v[0] * Math.sin(angle) + v[1] * Math.cos(angle)];
  arm.links.forEach((link, i) => {
    place = step(link.joint.origin ?? [0, 0, 0]);
    points.push(place);
    angle += q[i] ?? 0;
  });
  points.push(step(arm.point));
  return points;
}
