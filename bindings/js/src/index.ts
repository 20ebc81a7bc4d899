/**
 * Carom: rigid-body impact, resolved. The C library as WebAssembly.
 *
 *     import { load } from "carom";
 *     const carom = await load();
 *     const answer = carom.solve({ law: "routh-stronge", coefficients: { e: 0.8, mu: 0.3 }, ... });
 *
 * Answers have the digits of the program `carom`; what it refuses throws a CaromError in its words.
 */
import { type Batch, type BatchAnswer, solveBatch } from "./batch.js";
import { CaromError, Program, type Warning } from "./program.js";
import { Simulation } from "./simulation.js";
import type {
  Answer, Case, Coefficient, Comparison, Geometry, Law, Manifest, Sample, Scene, SceneEvent, Settings, Summary, Table, Trace, Values, Word,
} from "./types.js";

export type { Batch, BatchAnswer } from "./batch.js";
export { CaromError, type Fault, type Warning } from "./program.js";
export { type Advance, type BodyState, type EventContact, Simulation, type Until } from "./simulation.js";
export type * from "./types.js";

/** A case or a scene: an object, or the text of its file; of a scene that comes with the package also its name. */
export type Input<T> = T | string;

export interface SimulateOptions extends Settings {
  /** End at this time, s. */
  time?: number;
  /** End after so many impacts. */
  impacts?: number;
  /** Samples of the trajectory per second; the scene's, or 60. */
  rate?: number;
  /** Also the trajectory, also the events. */
  trajectory?: boolean;
  events?: boolean;
}

export interface Run {
  summary: Summary;
  trajectory: Sample[];
  events: SceneEvent[];
}

function textOf(input: Input<unknown>): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

export class Carom {
  readonly #program: Program;
  readonly manifest: Manifest;
  #laws: Law[] | undefined;
  #words: Word[] | undefined;

  /** @internal Use load(). */
  constructor(module: WebAssembly.Module) {
    this.#program = new Program(module);
    this.manifest = this.request<Manifest>("manifest");
  }

  /** Called with every warning; none by default. */
  onwarning: (warning: Warning) => void = () => {};

  /** Any request of docs/guide/requests.md by its name. Throws a CaromError for what it refuses. */
  request<T>(name: string, document?: Input<object>, options: object = {}): T {
    return this.#program.request<T>(name, document === undefined ? undefined : textOf(document), options, (w) => this.onwarning(w));
  }

  get version(): string {
    return this.manifest.version;
  }

  // ---- one impact ----

  /** One case: impulse, velocities after the impact, energy ledger. `all`: every admissible solution too. */
  solve(input: Input<Case>, options: Settings & { all?: boolean } = {}): Answer {
    return this.request("solve", input, options);
  }

  /** Every law on one case. */
  compare(input: Input<Case>, options: Omit<Settings, "law"> = {}): Comparison {
    return this.request("compare", input, options);
  }

  /** The path inside an impact, for laws that have one. */
  trace(input: Input<Case>, options: Settings & { points?: number } = {}): Trace {
    return this.request("trace", input, options);
  }

  /** The shapes of an impact: ellipsoid, cone, accessible region, rays. */
  region(input: Input<Case>, options: Settings = {}): Geometry {
    return this.request("geometry", input, options);
  }

  /** A case with two finite bodies that has the same K and u. */
  realize(input: Input<Case>): Case {
    return this.request("realize", input);
  }

  /** Contact-force parameters to restitution and back: `carom convert`. */
  convert(kind: string, values: Record<string, number>): Record<string, number | string> {
    return this.request("convert", undefined, { kind, values });
  }

  // ---- many impacts ----

  /** Many impacts with one law, on arrays. Row by row the bits of carom_solve. */
  solveBatch(batch: Batch): BatchAnswer {
    return solveBatch(this.#program, this.manifest, batch);
  }

  /** One case at many values of its inputs: a grid, the first input changing slowest. */
  sweep(input: Input<Case>, vary: Record<string, Values>, options: Settings & { random?: Record<string, string>; count?: number; seed?: number } = {}): Table {
    return this.request("sweep", input, { ...options, vary });
  }

  // ---- tables ----

  /** The laws, each with its coefficients: range, unit, default, meaning. */
  laws(): Law[] {
    this.#laws ??= this.#readLaws();
    return this.#laws;
  }

  #readLaws(): Law[] {
    const named = new Map(this.manifest.coefficients.map((c) => [c.name, c]));
    const raw = this.request<(Omit<Law, "coefficients"> & { coefficients: Coefficient[] })[]>("laws");
    const together = new Set(this.words().filter((w) => w.kind === "law of several contacts").map((w) => w.word));
    return raw.map((law) => ({
      ...law,
      coefficients: law.coefficients.map((c) => ({ ...(named.get(c.name) as Coefficient), ...c })),
      together: together.has(law.id),
    }));
  }

  /** The dictionary of `carom explain`: every word of an answer in a sentence. */
  words(): Word[] {
    this.#words ??= this.request<Word[]>("words");
    return this.#words;
  }

  /** What a word means; a word made of several is taken apart, each part after a line that leads to it. */
  explain(word: string): (Word | { lead: string })[] {
    return this.request("explain", undefined, { word });
  }

  // ---- files that come with the library ----

  #shelf(shelf: "examples" | "scenes", key: "example" | "scene"): Record<string, string> {
    const list = this.request<Record<string, string>[]>(shelf).map((one) => one[key] as string);
    return Object.fromEntries(list.map((name) => [name, this.request<{ text: string }>(shelf, undefined, { name }).text]));
  }

  /** The example cases by name, as texts. */
  examples(): Record<string, string> {
    return this.#shelf("examples", "example");
  }

  /** The scenes by name, as texts. */
  scenes(): Record<string, string> {
    return this.#shelf("scenes", "scene");
  }

  /** A name, "bouncing-ball", becomes the text of its file. */
  #scene(input: Input<Scene>): Input<Scene> {
    if (typeof input !== "string" || !/^[\w-]+$/.test(input)) return input;
    const text = this.scenes()[input];
    if (text === undefined) throw new CaromError(`no scene is called "${input}"; scenes() lists them`);
    return text;
  }

  // ---- motion ----

  /** A whole run of a scene: how it ended, and where they are wanted the trajectory and every event. */
  simulate(input: Input<Scene>, options: SimulateOptions = {}): Run {
    return { trajectory: [], events: [], ...this.request<Partial<Run> & { summary: Summary }>("simulate", this.#scene(input), options) };
  }

  /** One scene at many values of its inputs: one row per run, with the numbers of its end that `record` names. */
  ensemble(
    input: Input<Scene>, vary: Record<string, Values>,
    options: Settings & { random?: Record<string, string>; record?: string[]; time?: number; impacts?: number; count?: number; seed?: number } = {},
  ): Table {
    return this.request("ensemble", this.#scene(input), { ...options, vary });
  }

  /** A simulation to advance step by step. `lines`: events with their case and answer, as JSON. */
  simulation(input: Input<Scene>, options: { lines?: boolean } = {}): Simulation {
    return new Simulation(this.#program, textOf(this.#scene(input)), options.lines ?? false, this.manifest);
  }
}

/** Where the module comes from: its address, a response, its bytes or itself. */
export type Source = string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;

async function bytesOf(url: URL): Promise<BufferSource> {
  if (url.protocol !== "file:") return (await fetch(url)).arrayBuffer();
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

async function moduleOf(source: Source): Promise<WebAssembly.Module> {
  const from = await source;
  if (from instanceof WebAssembly.Module) return from;
  if (typeof from === "string" || from instanceof URL) return WebAssembly.compile(await bytesOf(new URL(from, import.meta.url)));
  if (typeof Response !== "undefined" && from instanceof Response) return WebAssembly.compile(await from.arrayBuffer());
  return WebAssembly.compile(from as BufferSource);
}

/** Load the library. Without a source its module lies beside this file. */
export async function load(source: Source = new URL("./carom.wasm", import.meta.url)): Promise<Carom> {
  if (typeof WebAssembly === "undefined") throw new CaromError("carom needs WebAssembly, which is not available here");
  return new Carom(await moduleOf(source));
}
