// The handles of the side view: which there are, where they lie, what they change.
import { sourceOf } from "../case";
import type { CaseFile } from "../types";
import { radiusOf, setCentre, setNormal, setSlip, setSpin, setTip, setVelocity } from "./edits";
import type { Point } from "./outline";
import { jointsOf, type BodyPicture, type Picture } from "./picture";

// How velocities and spins are drawn.
export interface Scales {
  perSpeed: number; // metres of the picture per m/s
  perSpin: number; // radians of an arc per rad/s
  arc: number; // radius of that arc, m
  normal: number; // length of the normal, m
}

export interface HandleSpec {
  id: string;
  label: string;
  place(picture: Picture, scales: Scales): Point;
  text(picture: Picture): string;
  drag(file: CaseFile, at: Point, picture: Picture, scales: Scales): CaseFile;
}

const ARC_START = Math.PI / 2;
const ARC_MOST = 5.5; // rad: a longer arc would close

export function arcOf(spin: number, scales: Scales): number {
  return Math.max(-ARC_MOST, Math.min(ARC_MOST, spin * scales.perSpin));
}

function body(picture: Picture, key: "a" | "b"): BodyPicture {
  return picture.bodies.find((b) => b.key === key) ?? picture.bodies[0];
}

function velocity(key: "a" | "b"): HandleSpec {
  return {
    id: `velocity-${key}`,
    label: `velocity of ${key.toUpperCase()} before`,
    place: (picture, scales) => {
      const b = body(picture, key);
      return [b.centre[0] + scales.perSpeed * b.before.velocity[0], b.centre[1] + scales.perSpeed * b.before.velocity[1]];
    },
    text: (picture) => `${body(picture, key).before.velocity.map((x) => x.toPrecision(3)).join(", ")} metres per second`,
    drag: (file, at, picture, scales) => {
      const { centre } = body(picture, key);
      return setVelocity(file, key, [(at[0] - centre[0]) / scales.perSpeed, (at[1] - centre[1]) / scales.perSpeed]);
    },
  };
}

function spin(key: "a" | "b"): HandleSpec {
  return {
    id: `spin-${key}`,
    label: `spin of ${key.toUpperCase()} before`,
    place: (picture, scales) => {
      const b = body(picture, key);
      const angle = ARC_START + arcOf(b.before.spin, scales);
      return [b.centre[0] + scales.arc * Math.cos(angle), b.centre[1] + scales.arc * Math.sin(angle)];
    },
    text: (picture) => `${body(picture, key).before.spin.toPrecision(3)} radians per second`,
    drag: (file, at, picture, scales) => {
      const b = body(picture, key);
      const old = arcOf(b.before.spin, scales);
      const angle = Math.atan2(at[1] - b.centre[1], at[0] - b.centre[0]) - ARC_START;
      const nearest = angle + 2 * Math.PI * Math.round((old - angle) / (2 * Math.PI));
      return setSpin(file, key, Math.max(-ARC_MOST, Math.min(ARC_MOST, nearest)) / scales.perSpin);
    },
  };
}

const NORMAL: HandleSpec = {
  id: "normal",
  label: "contact normal",
  place: (picture, scales) => [scales.normal * picture.normal[0], scales.normal * picture.normal[1]],
  text: (picture) => `${((Math.atan2(picture.normal[1], picture.normal[0]) * 180) / Math.PI).toFixed(0)} degrees`,
  drag: (file, at) => setNormal(file, Math.atan2(at[1], at[0])),
};

const CENTRE: HandleSpec = {
  id: "centre",
  label: "contact point on A: move the centre of the body about it",
  place: (picture) => body(picture, "a").centre,
  text: (picture) => `centre at ${body(picture, "a").centre.map((x) => x.toPrecision(3)).join(", ")} metres from the contact`,
  drag: (file, at) => setCentre(file, at),
};

const SLIP: HandleSpec = {
  id: "slip",
  label: "relative velocity before",
  place: (picture, scales) => {
    const u = picture.slip?.before ?? [0, 0];
    return [scales.perSpeed * u[0], scales.perSpeed * u[1]];
  },
  text: (picture) => `${(picture.slip?.before ?? [0, 0]).map((x) => x.toPrecision(3)).join(", ")} metres per second`,
  drag: (file, at, _picture, scales) => setSlip(file, [at[0] / scales.perSpeed, at[1] / scales.perSpeed]),
};

const BASE: HandleSpec = {
  id: "base",
  label: "base of the arm: move it, the tip stays on the floor",
  place: (picture) => {
    const joints = jointsOf(picture.arm!, picture.arm!.q);
    const tip = joints[joints.length - 1];
    return [-tip[0], -tip[1]];
  },
  text: (picture) => `joint angles ${picture.arm!.q.map((x) => x.toPrecision(3)).join(", ")} radians`,
  drag: (file, at) => setTip(file, [-at[0], -at[1]]),
};

export function handlesOf(file: CaseFile, picture: Picture): HandleSpec[] {
  const source = sourceOf(file);
  if (source === "reduced") return file.reduced?.u?.length ? [SLIP] : [];
  if (source === "links") return picture.arm?.links.length === 2 ? [BASE] : [];
  if (source !== "bodies") return [];
  const isFree = radiusOf(file, "a") === undefined && file.contact?.arm_a !== undefined;
  return [...(isFree ? [CENTRE] : []), NORMAL, ...picture.bodies.flatMap((b) => [spin(b.key), velocity(b.key)])];
}
