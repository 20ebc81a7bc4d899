/**
 * Carom: rigid-body impact, resolved. The C library as WebAssembly.
 *
 *     import { load } from "carom";
 *     const carom = await load();
 *     const answer = carom.solve({ law: "routh-stronge", coefficients: { e: 0.8, mu: 0.3 }, ... });
 *
 * Answers equal the output of the program `carom`, digit for digit; a case that it refuses throws a CaromError with its
 * sentence.
 */
import { type Batch, type BatchAnswer, solveBatch } from "./batch.js";
import { CaromError, type Finished, lastLine, Program } from "./program.js";
import { Simulation } from "./simulation.js";
import type {
  Answer, Case, Coefficient, Comparison, Geometry, Law, Manifest, Sample, Scene, SceneEvent, Settings, Summary, Trace, Word,
} from "./types.js";

export type { Batch, BatchAnswer } from "./batch.js";
export { CaromError, type Finished } from "./program.js";
export { type Advance, type BodyState, type EventContact, Simulation, type Until } from "./simulation.js";
export type * from "./types.js";

/** A case or a scene: an object, or the text of its file. */
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

function settingsOf({ law, set, strict }: Settings): string[] {
  const words = Object.entries(set ?? {}).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  return [...(law ? ["--law", law] : []), ...words, ...(strict ? ["--strict"] : [])];
}

function linesOf<T>(text: string): T[] {
  return text === "" ? [] : text.trimEnd().split("\n").map((line) => JSON.parse(line) as T);
}

export class Carom {
  readonly #program: Program;
  readonly manifest: Manifest;
  #laws: Law[] | undefined;
  #words: Word[] | undefined;

  /** @internal Use load(). */
  constructor(module: WebAssembly.Module) {
    this.#program = new Program(module);
    this.#program.exports.carom_js_manifest();
    this.manifest = JSON.parse(this.#program.written(1)) as Manifest;
  }

  get version(): string {
    return this.manifest.version;
  }

  // ---- one impact ----

  /** One case: impulse, velocities after the impact, energy ledger. `all`: every admissible solution too. */
  solve(input: Input<Case>, options: Settings & { all?: boolean } = {}): Answer {
    const all = options.all ? ["--all"] : [];
    return this.#program.json<Answer>(["solve", "--json", ...all, ...settingsOf(options), "-"], textOf(input));
  }

  /** Every law on one case. */
  compare(input: Input<Case>, options: Omit<Settings, "law"> = {}): Comparison {
    return this.#program.json<Comparison>(["compare", "--json", ...settingsOf(options), "-"], textOf(input));
  }

  /** The path inside an impact, for laws that have one. */
  trace(input: Input<Case>, options: Settings & { points?: number } = {}): Trace {
    const points = options.points === undefined ? [] : ["--points", String(options.points)];
    return this.#program.json<Trace>(["trace", "--json", ...points, ...settingsOf(options), "-"], textOf(input));
  }

  /** The shapes of an impact: ellipsoid, cone, accessible region, rays. */
  region(input: Input<Case>, options: Settings = {}): Geometry {
    return this.#program.json<Geometry>(["geometry", "--json", ...settingsOf(options), "-"], textOf(input));
  }

  /** A case with two finite bodies that has the same K and u. */
  realize(input: Input<Case>): Case {
    return this.#program.json<Case>(["realize", "-"], textOf(input));
  }

  /** Contact-force parameters to restitution and back: `carom convert`. */
  convert(kind: string, values: Record<string, number>): Record<string, number | string | null> {
    return this.#program.json(["convert", kind, ...Object.entries(values).map(([key, value]) => `${key}=${value}`), "--json"]);
  }

  // ---- many impacts ----

  /** Many impacts with one law, on arrays. Row by row the bits of carom_solve. */
  solveBatch(batch: Batch): BatchAnswer {
    return solveBatch(this.#program, this.manifest, batch);
  }

  // ---- tables ----

  /** The laws, each with its coefficients: range, unit, default, meaning. */
  laws(): Law[] {
    this.#laws ??= this.#readLaws();
    return this.#laws;
  }

  #readLaws(): Law[] {
    const named = new Map(this.manifest.coefficients.map((c) => [c.name, c]));
    const raw = this.#program.json<(Omit<Law, "coefficients"> & { coefficients: Coefficient[] })[]>(["laws", "--json"]);
    const together = new Set(this.words().filter((w) => w.kind === "law of several contacts").map((w) => w.word));
    return raw.map((law) => ({
      ...law,
      coefficients: law.coefficients.map((c) => ({ ...(named.get(c.name) as Coefficient), ...c })),
      together: together.has(law.id),
    }));
  }

  /** The dictionary of `carom explain`: every word of an answer in a sentence. */
  words(): Word[] {
    this.#words ??= this.#program.json<Word[]>(["explain", "--json"]);
    return this.#words;
  }

  /** What a word means, in the words of `carom explain`; a word made of several is taken apart. */
  explain(word: string): string {
    const done = this.#program.run(["explain", "--", word]);
    if (done.status !== 0) throw new CaromError(lastLine(done.errors));
    return done.output;
  }

  // ---- files that come with the library ----

  /** The example cases by name, as texts. */
  examples(): Record<string, string> {
    const table = this.#program.run(["examples"]).output.split("\n\n")[0] as string;
    const names = table.trimEnd().split("\n").slice(1).map((line) => line.split(" ")[0] as string);
    return Object.fromEntries(names.map((name) => [name, this.#program.run(["examples", name]).output]));
  }

  /** The scenes by name, as texts. */
  scenes(): Record<string, string> {
    const list = this.#program.json<{ scene: string }[]>(["scenes", "--json"]);
    return Object.fromEntries(list.map(({ scene }) => [scene, this.#program.run(["scenes", scene]).output]));
  }

  // ---- motion ----

  /** A whole run of a scene: how it ended, and where they are wanted the trajectory and every event. */
  simulate(input: Input<Scene>, options: SimulateOptions = {}): Run {
    const words = ["sim", "--json", ...settingsOf({ ...options, strict: false })];
    if (options.time !== undefined) words.push("--time", String(options.time));
    if (options.impacts !== undefined) words.push("--impacts", String(options.impacts));
    if (options.rate !== undefined) words.push("--rate", String(options.rate));
    const files = [...(options.trajectory ? ["trajectory.jsonl"] : []), ...(options.events ? ["events.jsonl"] : [])];
    if (options.trajectory) words.push("--output", "trajectory.jsonl");
    if (options.events) words.push("--events", "events.jsonl");
    const done = this.#program.run([...words, "-"], textOf(input), files);
    if (done.status !== 0) throw new CaromError(lastLine(done.errors));
    return {
      summary: JSON.parse(done.output) as Summary,
      trajectory: linesOf<Sample>(done.files["trajectory.jsonl"] ?? ""),
      events: linesOf<SceneEvent>(done.files["events.jsonl"] ?? ""),
    };
  }

  /** A simulation to advance step by step. `lines`: events with their case and answer, as JSON. */
  simulation(input: Input<Scene>, options: { lines?: boolean } = {}): Simulation {
    return new Simulation(this.#program, textOf(input), options.lines ?? false, this.manifest);
  }

  // ---- the command line ----

  /** Any command of the program: words as on the command line, the text of standard input for "-". */
  run(words: readonly string[], input = "", files: readonly string[] = []): Finished {
    return this.#program.run(words, input, files);
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
