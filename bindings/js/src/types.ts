/** Answers, and words for the files of formats.ts: the JSON of docs/guide/case-format.md and docs/guide/scene-format.md. */

import type { CaseFile, OfSpeed, SceneFile } from "./formats.js";

export type * from "./formats.js";

export type Vec2 = [number, number];
export type Vec3 = [number, number, number];
/** Contact axes: [t, n] in the plane, [t1, t2, n] in space. */
export type ContactVector = number[];
export type Matrix = number[][];

/** An impact case: `bodies` and `contact`, or `reduced`, or `mechanism`, or several contacts. */
export type Case = CaseFile;

export interface Energy {
  before: number;
  after: number;
  change: number;
  normal: number;
  friction: number;
  contact?: number;
}

export interface Answer {
  name?: string;
  law: string;
  status: string;
  message: string;
  /** Impulse on body a, contact axes. */
  p: ContactVector;
  u_after: ContactVector;
  /** Not in answers to reduced cases. */
  K?: Matrix;
  u?: ContactVector;
  frame?: { t1: Vec3; t2?: Vec3; n: Vec3 };
  /** The impulse in world axes. */
  impulse?: number[];
  bodies?: Record<string, { velocity: number[]; omega: number | Vec3 }>;
  qdot?: number[];
  energy: Energy;
  restitution: { newton: number | null; poisson: number | null; stronge: number | null; ivanov: number | null };
  friction_ratio: number;
  margins: { normal: number; energy: number; cone: number };
  flags: string[];
  warnings: string[];
  mode: string;
  solutions: number;
  [key: string]: unknown;
}

export interface Comparison {
  name?: string;
  /** One answer per law; a law that does not apply has status "error" or a refusal, and a message. */
  answers: (Answer | { law: string; status: string; message: string })[];
  [key: string]: unknown;
}

export interface TracePoint {
  p: ContactVector;
  u: ContactVector;
  work_normal: number;
  work_friction: number;
  /** Contacts with a patch, whose p and u go on with [m_n] and [w_n], or with three of each. */
  work_spin?: number;
  mode: string;
  event?: string;
  time?: number;
  compression?: number;
  force?: ContactVector;
  stretch?: ContactVector;
  stored?: ContactVector;
  qdot?: number[];
}

export interface Trace {
  name?: string;
  law: string;
  status: string;
  points: TracePoint[];
  events: unknown[];
  [key: string]: unknown;
}

/** What `carom geometry --json` prints. */
export interface Geometry {
  K: { rank: number; eigenvalues: number[]; axes: number[][] };
  ellipsoid?: { centre: number[]; radii: number[]; contact_energy: number };
  cone?: { mu: number; half_angle_degrees: number };
  region?: { bounded: boolean; edges: { kind: string; from: number[]; to: number[] }[]; [key: string]: unknown };
  [key: string]: unknown;
}

/** One line of the manifest of coefficients. */
export interface Coefficient {
  name: string;
  unit: string;
  /** The range in words. */
  range: string;
  meaning: string;
  /** null: no bound. `positive`: the minimum itself is not allowed. `infinite`: infinity is a value. */
  min: number | null;
  max: number | null;
  positive: boolean;
  infinite: boolean;
  /** null: the law derives it. */
  default: number | null;
}

export interface Law {
  id: string;
  name: string;
  family: string;
  summary: string;
  reference: string;
  coefficients: Coefficient[];
  traits: string[];
  modes: string[];
  /** Of several contacts at once. */
  together: boolean;
}

export interface Option {
  name: string;
  words: string[];
  meaning: string;
}

export interface Word {
  word: string;
  kind: string;
  meaning: string;
  page: string;
}

export interface Manifest {
  version: string;
  coefficients: Coefficient[];
  options: Option[];
  statuses: { id: string; message: string; answer: boolean }[];
  flags: { word: string; bit: number; meaning: string }[];
  /** Columns of the ledger of a batch, in their order. */
  ledger: string[];
  /** Why an advance of a simulation ended; what its events are. */
  stops: string[];
  kinds: string[];
}

/** A scene: docs/guide/scene-format.md. */
export type Scene = SceneFile;

/** How a run ended. */
export interface Summary {
  name?: string;
  law: string;
  status: string;
  message: string;
  time: number;
  impacts: number;
  events: number;
  bounces: Record<string, number>;
  rest_time: number | null;
  energy: SceneEnergy;
  bodies: Record<string, State>;
  momentum: { linear: number[]; angular: number | Vec3 };
}

export interface SceneEnergy {
  before: number;
  after: number;
  normal: number;
  friction: number;
  rest: number;
  sliding: number;
  spin: number;
  fields: number;
  driven: number;
  residual: number;
}

export interface State {
  position: number[];
  orientation?: [number, number, number, number];
  angle?: number;
  velocity: number[];
  omega: number | Vec3;
}

/** A line of a trajectory. */
export interface Sample {
  t: number;
  bodies: Record<string, State>;
}

/** An event of a run; impacts carry their case and its answer. */
export interface SceneEvent {
  t: number;
  kind: string;
  a: string;
  b: string;
  energy: number;
  case?: Case;
  answer?: Answer;
  [key: string]: unknown;
}

/** What changes a case or scene on its way: `--law` and `--set` of the command line. */
export interface Settings {
  law?: string;
  set?: Record<string, number | string | OfSpeed>;
  /** Warnings are errors. */
  strict?: boolean;
}

/** Values of an input: a list, or the words of the command line ("0:1:21"). */
export type Values = readonly number[] | string;

/** The rows of a sweep: the inputs that were varied, words, and numbers (null where one is not defined). */
export interface Table {
  columns: string[];
  rows: (number | string | null)[][];
}
