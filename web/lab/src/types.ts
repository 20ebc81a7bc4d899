// Cases, answers and manifests, as the command line reads and writes them.

export type Vector = number[];

export interface BodyFile {
  mass?: number;
  density?: number;
  inertia?: number | number[] | number[][];
  inverse_inertia?: number | number[] | number[][];
  shape?: Record<string, Record<string, unknown>>;
  orientation?: Vector;
  position?: Vector;
  velocity?: Vector;
  omega?: number | Vector;
  fixed?: boolean;
}

export interface ContactFile {
  arm_a?: Vector;
  arm_b?: Vector;
  point?: Vector;
  normal?: Vector;
  t1?: Vector;
  link?: string;
}

export interface LinkFile {
  name: string;
  parent: string;
  joint: { type: string; axis: Vector; origin: Vector };
  mass: number;
  com: Vector;
  inertia: Vector;
}

export interface MechanismFile {
  links?: LinkFile[];
  q?: Vector;
  qdot?: Vector;
  M?: number[][];
  J?: number[][];
}

export interface CaseFile {
  name?: string;
  law?: string;
  coefficients?: Record<string, number>;
  bodies?: Record<string, BodyFile>;
  contact?: ContactFile;
  contacts?: unknown[];
  reduced?: { K?: number[][]; M?: number[][]; u?: Vector };
  mechanism?: MechanismFile;
  [key: string]: unknown;
}

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

export interface SceneBody {
  shape?: Record<string, Record<string, unknown>>;
  mass?: number;
  density?: number;
  position?: Vector;
  orientation?: Vector;
  angle?: number;
  velocity?: Vector;
  omega?: number | Vector;
  fixed?: boolean;
  material?: string;
}

export interface SceneFile {
  name?: string;
  notes?: unknown;
  dimension?: number;
  gravity?: Vector;
  law?: string;
  coefficients?: Record<string, number>;
  pairs?: { law?: string; coefficients?: Record<string, number> }[];
  bodies: Record<string, SceneBody>;
  until?: { time?: number; impacts?: number; rest?: boolean };
  output?: { rate?: number };
  [key: string]: unknown;
}
