import { CaromError, type Fault, type Program } from "./program.js";
import type { SceneEnergy, SceneEvent, Vec3 } from "./types.js";

/** A body now, in world axes. */
export interface BodyState {
  position: Vec3;
  /** Unit quaternion w, x, y, z. */
  orientation: [number, number, number, number];
  velocity: Vec3;
  omega: Vec3;
  /** It does not move and will not until something hits it. */
  resting: boolean;
}

/** One contact of an event: where it was and what it did to body a. */
export interface EventContact {
  kind: string;
  t: number;
  /** Numbers of the bodies in the scene. */
  a: number;
  b: number;
  point: Vec3;
  /** From b to a. */
  normal: Vec3;
  impulse: Vec3;
}

export interface Advance {
  /** Why it ended: "time", "impacts", "events", "rest", ... */
  stop: string;
  contacts: EventContact[];
  /** The same as lines of `carom sim --events`; empty unless the simulation was made with `lines`. */
  events: SceneEvent[];
}

export interface Until {
  /** Absolute time, s. */
  time?: number;
  /** Events from here on; 1 steps to the next event. */
  events?: number;
  /** Impacts since the beginning. */
  impacts?: number;
}

const STATE = 14;
const CONTACT = 13;

function triple(from: Float64Array, at: number): Vec3 {
  return [from[at] as number, from[at + 1] as number, from[at + 2] as number];
}

/** A simulation that is advanced step by step. Free it when it is no longer needed. */
export class Simulation {
  readonly #program: Program;
  readonly #stops: readonly string[];
  readonly #kinds: readonly string[];
  #sim: number;
  /** Names of the bodies, in the order of all numbers. */
  readonly names: readonly string[];
  readonly dim: 2 | 3;
  /** Where the scene says it ends: time (Infinity: nowhere), impacts (-1: nowhere) and samples per second. */
  readonly limits: { time: number; impacts: number; rate: number };

  /** @internal Use Carom.simulation. */
  constructor(program: Program, scene: string, lines: boolean, words: { stops: readonly string[]; kinds: readonly string[] }) {
    this.#program = program;
    this.#stops = words.stops;
    this.#kinds = words.kinds;
    const exports = program.exports;
    this.#sim = program.guarded(() => program.withText(scene, (at, length) => exports.carom_js_sim_new(at, length, Number(lines))));
    if (this.#sim === 0) throw new CaromError(program.reply<{ error: Fault }>().error);
    const count = exports.carom_js_sim_bodies(this.#sim);
    this.names = Array.from({ length: count }, (_, i) => program.wordAt(exports.carom_js_sim_name(this.#sim, i)));
    this.dim = exports.carom_js_sim_dim(this.#sim) as 2 | 3;
    const [time, impacts, rate] = this.#numbers(3, (at) => exports.carom_js_sim_limits(this.#sim, at));
    this.limits = { time: time as number, impacts: impacts as number, rate: rate as number };
  }

  /** Where joints hold a point of a body: the number of the body, and the point in its axes from its centre of mass. */
  get strings(): { body: number; at: Vec3 }[] {
    const all: { body: number; at: Vec3 }[] = [];
    for (let i = 0, found = 1; found; i++) {
      const x = this.#numbers(4, (at) => (found = this.#program.exports.carom_js_sim_string(this.#handle, i, at)));
      if (found && (x[0] as number) >= 0) all.push({ body: x[0] as number, at: triple(x, 1) });
    }
    return all;
  }

  #numbers(count: number, fill: (at: number) => void): Float64Array {
    return this.#program.withBytes(new Uint8Array(count * 8), (at) => {
      fill(at);
      return this.#program.numbersAt(at, count).slice();
    });
  }

  get #handle(): number {
    if (this.#sim === 0) throw new CaromError("this simulation was freed");
    return this.#sim;
  }

  /** Go on until a time, a number of events or of impacts, or to rest, whichever comes first. */
  advance(until: Until): Advance {
    const { time = Infinity, events = -1, impacts = -1 } = until;
    if (Number.isNaN(time) || Number.isNaN(events) || Number.isNaN(impacts)) throw new CaromError("until: must be numbers");
    const program = this.#program;
    const stop = program.guarded(() => program.exports.carom_js_sim_advance(this.#handle, time, events, impacts));
    if (stop < 0) throw new CaromError(program.reply<{ error: Fault }>().error);
    return {
      stop: this.#stops[stop] ?? String(stop),
      contacts: this.#contacts(),
      events: program.reply<SceneEvent[]>(),
    };
  }

  #contacts(): EventContact[] {
    const exports = this.#program.exports;
    const count = exports.carom_js_sim_contact_count(this.#handle);
    if (count === 0) return [];
    const from = this.#program.numbersAt(exports.carom_js_sim_contacts(this.#handle), count * CONTACT);
    return Array.from({ length: count }, (_, i) => {
      const at = i * CONTACT;
      const [kind, t, a, b] = from.subarray(at, at + 4) as unknown as [number, number, number, number];
      return { kind: this.#kinds[kind] ?? String(kind), t, a, b, point: triple(from, at + 4), normal: triple(from, at + 7), impulse: triple(from, at + 10) };
    });
  }

  /** All bodies as numbers: 14 each (position, orientation w x y z, velocity, omega, resting). A copy. */
  states(): Float64Array {
    const at = this.#program.exports.carom_js_sim_states(this.#handle);
    return this.#program.numbersAt(at, this.names.length * STATE).slice();
  }

  /** Body i, or by name. */
  body(which: number | string): BodyState {
    const i = typeof which === "number" ? which : this.names.indexOf(which);
    if (!(i >= 0 && i < this.names.length)) throw new CaromError(`no body ${String(which)}`);
    const x = this.states().subarray(i * STATE, (i + 1) * STATE);
    const orientation = Array.from(x.subarray(3, 7)) as [number, number, number, number];
    return { position: triple(x, 0), orientation, velocity: triple(x, 7), omega: triple(x, 10), resting: x[13] === 1 };
  }

  #totals(): Float64Array {
    return this.#numbers(20, (at) => this.#program.exports.carom_js_sim_numbers(this.#handle, at));
  }

  get time(): number {
    return this.#totals()[0] as number;
  }

  /** When the next event comes; Infinity when none is foreseen. */
  get next(): number {
    return this.#totals()[1] as number;
  }

  get impacts(): number {
    return this.#totals()[2] as number;
  }

  get energy(): SceneEnergy {
    const x = this.#totals();
    const [before, after, normal, friction, rest, sliding, residual] = x.subarray(4) as unknown as number[];
    return { before, after, normal, friction, rest, sliding, spin: x[19], fields: x[17], driven: x[18], residual } as SceneEnergy;
  }

  get momentum(): { linear: Vec3; angular: Vec3 } {
    const x = this.#totals();
    return { linear: triple(x, 11), angular: triple(x, 14) };
  }

  /** Everything that determines what comes next; restore() goes back to it, bit for bit. */
  save(): Uint8Array {
    const size = this.#program.exports.carom_js_sim_snapshot_size(this.#handle);
    return this.#program.withBytes(new Uint8Array(size), (at) => {
      this.#program.exports.carom_js_sim_save(this.#handle, at);
      return new Uint8Array(this.#program.exports.memory.buffer, at, size).slice();
    });
  }

  /** Only a snapshot of this very simulation. */
  restore(snapshot: Uint8Array): void {
    const status = this.#program.withBytes(snapshot, (at) => this.#program.exports.carom_js_sim_restore(this.#handle, at));
    if (status !== 0) throw new CaromError("not a snapshot of this simulation");
  }

  free(): void {
    if (this.#sim !== 0) this.#program.exports.carom_js_sim_free(this.#sim);
    this.#sim = 0;
  }
}
