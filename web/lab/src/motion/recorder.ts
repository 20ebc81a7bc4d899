// A run of the simulator, recorded in slices, so that the page never stands still.
import type { Simulation } from "carom";
import { Run, type Head, type ReplayBody, type ReplayEvent } from "replay/run.js";
import type { Answer, CaseFile, SceneFile } from "../types";
import { centreOf } from "./centre";

export const MOST_BODIES = 600; // of a scene in the page
const MOST_FRAMES = 20_000;
const NUMBERS = 13; // per body in a frame of web/replay: position, velocity, orientation, omega
const STATE = 14; // per body in the simulator: position, orientation, velocity, omega, resting
const MANY = 64; // bodies, from which on the frames just before events are left out
const JUST_BEFORE = 1e-9; // of the time: how long before an event the frame before it is taken

export interface RecordedEvent extends ReplayEvent {
  energy: number;
  case?: CaseFile;
  answer?: Answer;
}

export interface Recording {
  run: Run;
  events: RecordedEvent[];
  times: number[];
  energies: number[]; // kinetic and potential, at every frame
  stop: string;
}

// Refuses what the page cannot show, with the number.
export function checkScene(scene: SceneFile): void {
  checkCount(Object.keys(scene.bodies ?? {}).length);
}

function checkCount(count: number): void {
  if (count > MOST_BODIES) throw new Error(`This scene has ${count.toLocaleString("en")} bodies; the page takes up to ${MOST_BODIES}. The command line takes a million: carom sim SCENE.json`);
}

export class Recorder {
  private times: number[] = [];
  private frames: Float32Array[] = [];
  private energies: number[] = [];
  private events: RecordedEvent[] = [];
  private stop = "";
  private bodies: ReplayBody[];
  private moving: number[];
  private end: number;
  private step: number;

  constructor(private simulation: Simulation, private scene: SceneFile) {
    checkCount(simulation.names.length); // copies that "repeat" has made count, too
    this.bodies = simulation.names.map((name) => this.body(name));
    this.moving = this.bodies.flatMap((body, i) => (body.moves ? [i] : []));
    const { time, rate } = simulation.limits;
    this.end = Number.isFinite(time) ? time : 60;
    this.step = Math.max(1 / (rate || 60), this.end / (MOST_FRAMES / 4));
    this.record();
  }

  private body(name: string): ReplayBody {
    const given = this.scene.bodies[name] ?? this.scene.bodies[name.replace(/-\d+$/, "")] ?? this.linkOf(name) ?? {};
    const angle = given.angle ?? 0;
    const state = this.simulation.body(name);
    const moves = !given.fixed || Boolean(given.velocity?.some((x) => x !== 0));
    return { name, shape: given.shape, fixed: given.fixed, moves, position: [...state.position], orientation: given.orientation ?? [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)], centre: given.com ?? centreOf(given.shape) };
  }

  private linkOf(name: string): SceneFile["bodies"][string] | undefined {
    const links = (this.scene.links ?? []) as unknown as (SceneFile["bodies"][string] & { name: string; com?: number[] })[];
    const link = links.find((one) => one.name === name);
    return link && { ...link, com: undefined, angle: 0 };
  }

  private record(): void {
    const states = this.simulation.states();
    const frame = new Float32Array(this.moving.length * NUMBERS);
    this.moving.forEach((i, k) => place(frame, k * NUMBERS, states, i * STATE));
    this.times.push(this.simulation.time);
    this.frames.push(frame);
    this.energies.push(this.simulation.energy.after);
  }

  get progress(): number {
    return this.end > 0 ? Math.min(this.simulation.time / this.end, 1) : 1;
  }

  // Works for about so many milliseconds; true when the run is complete.
  work(milliseconds: number): boolean {
    const until = performance.now() + milliseconds;
    while (performance.now() < until) if (this.advance()) return true;
    return false;
  }

  // One sample or one event further.
  private advance(): boolean {
    const { simulation } = this;
    const now = simulation.time;
    const next = simulation.next;
    const sample = Math.min((Math.floor(now / this.step + 1e-6) + 1) * this.step, this.end);
    if (next > sample || !Number.isFinite(next)) this.stop = this.goto(sample);
    else this.stop = this.event(now, next, sample);
    const { impacts } = simulation.limits;
    const isOver = simulation.time >= this.end || (impacts >= 0 && simulation.impacts >= impacts) || this.times.length > MOST_FRAMES;
    return isOver || this.stop === "rest" || this.stop === "idle";
  }

  private goto(time: number): string {
    const { stop } = this.simulation.advance({ time });
    this.record();
    return stop;
  }

  // The next event, or the sample where the motion only begins a new piece before it: such pieces are no events.
  private event(now: number, next: number, sample: number): string {
    const before = next - JUST_BEFORE * Math.max(next, this.step);
    if (before > now && this.bodies.length <= MANY) this.goto(before);
    const { stop, contacts, events } = this.simulation.advance({ events: 1, time: sample });
    this.record();
    const contact = contacts[0];
    for (const line of events) {
      this.events.push({ t: line.t, kind: line.kind, a: line.a, b: line.b, energy: line.energy, case: line.case as CaseFile | undefined, answer: line.answer as unknown as Answer | undefined, impulse: line.kind === "impact" ? contact?.impulse : undefined, point: contact?.point });
    }
    return stop;
  }

  // What was recorded, in the form of web/replay.
  finish(): Recording {
    const size = this.moving.length * NUMBERS;
    const states = new Float32Array(this.frames.length * size);
    this.frames.forEach((frame, f) => states.set(frame, f * size));
    const head: Head = { name: this.scene.name ?? "scene", dimension: this.simulation.dim, gravity: this.scene.gravity ?? [0, 0, 0], strings: this.simulation.strings.map(({ body, at }) => [body, ...at]), bodies: this.bodies, events: this.events };
    this.simulation.free();
    return { run: new Run(head, Float64Array.from(this.times), states), events: this.events, times: this.times, energies: this.energies, stop: this.stop };
  }
}

function place(to: Float32Array, at: number, from: Float64Array, start: number): void {
  to.set(from.subarray(start, start + 3), at);
  to.set(from.subarray(start + 7, start + 10), at + 3);
  to.set(from.subarray(start + 3, start + 7), at + 6);
  to.set(from.subarray(start + 10, start + 13), at + 10);
}
