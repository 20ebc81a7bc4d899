// Cases, answers and manifests, as the command line reads and writes them.

import type * as Formats from "../../../bindings/js/src/formats";

type Body = Formats.Body;
type Contact = Formats.Contact;
type LinkContact = Formats.LinkContact;
type Link = Formats.Link;
type Linkage = Formats.Linkage;
type Mechanism = Formats.Mechanism;

export type Vector = number[];

/** Files on their way through the editor: keys of every source may be there, and more. */
export type BodyFile = Body;
export type LinkFile = Link;
export type CaseFile = Omit<Formats.CaseFile, "contact" | "mechanism" | "reduced" | "coefficients"> & {
  contact?: Partial<Contact & LinkContact>;
  mechanism?: Partial<Mechanism & Linkage>;
  reduced?: { K?: number[][]; M?: number[][]; u?: Vector };
  coefficients?: Record<string, number>;
  [key: string]: unknown;
};

export interface PathEvent {
  kind: string;
  p_n: number;
  p: Vector;
  u: Vector;
}

export interface Answer {
  law: string;
  status: string;
  message: string;
  p?: Vector;
  u_after?: Vector;
  frame?: { t1: Vector; t2?: Vector; n: Vector };
  K?: number[][];
  u?: Vector;
  impulse?: Vector;
  bodies?: Record<string, { velocity: Vector; omega: number | Vector }>;
  qdot_after?: Vector;
  energy?: { before: number; after: number; change: number; normal: number; friction: number; contact: number };
  restitution?: Record<string, number | null>;
  friction_ratio?: number | null;
  flags?: string[];
  warnings?: string[];
  mode?: string;
  path?: string;
  solutions?: number;
  phases?: number;
  events?: PathEvent[];
}

export interface TracePoint {
  p: Vector;
  u: Vector;
  work_normal: number;
  work_friction: number;
  mode?: string;
  event?: string;
  stored?: Vector;
}

export interface Trace {
  law: string;
  status: string;
  phases?: number;
  points: TracePoint[];
}

export interface Coefficient {
  name: string;
  range: string;
  meaning: string;
  default: number | string | null;
}

export interface Law {
  id: string;
  name: string;
  family: string;
  summary: string;
  coefficients: Coefficient[];
  traits: string[];
  modes: string[];
}

export interface Word {
  word: string;
  kind: string;
  meaning: string;
  page: string;
}

export type SceneFile = Omit<Formats.SceneFile, "law" | "until" | "coefficients" | "pairs"> & {
  law?: string;
  coefficients?: Record<string, number>;
  pairs?: { law?: string; coefficients?: Record<string, number> }[];
  until?: { time?: number; impacts?: number; rest?: boolean };
  [key: string]: unknown;
};
