// The Motion view: scenes of the simulator, played in the page.
import { textOf } from "../case";
import { button, h, prefersStill, replace } from "../dom";
import type { Engine } from "../engine";
import { readFile } from "../files";
import { short } from "../format";
import { singleLaws } from "../manifest";
import { EnergyPlot } from "../motion/energy";
import { hasCueBall, KnobPanel, withKnobs } from "../motion/knobs";
import { neighbour, Screen, shownImpact } from "../motion/player";
import { checkScene, MOST_BODIES, Recorder, type RecordedEvent, type Recording } from "../motion/recorder";
import { enableStroke } from "../motion/stroke";
import { STILL, type State, type Store } from "../state";
import type { SceneFile } from "../types";
import type { View } from "./view";

const SLICE = 12; // ms of work per frame while a run is computed
const MOST_ROWS = 400; // of the list of events
const SHOW = { velocity: true, impulse: true, trails: true, impacts: true };

export class MotionView implements View {
  readonly element: HTMLElement;
  private screens = h("div", { class: "screens" });
  private status = h("p", { class: "status", role: "status" });
  private problem = h("p", { class: "problem banner", role: "alert" });
  private scrub = h("input", { type: "range", min: 0, max: 1, step: 0.0001, value: 0, "aria-label": "time" });
  private play = button("▶", "play or pause (space)", () => this.toggle(), { "aria-label": "play or pause" });
  private clock = h("output", { class: "clock" });
  private speed = h("select", { "aria-label": "speed" }, ...["1/50", "1/10", "1/4", "1/2", "1", "2"].map((text) => h("option", { value: text, selected: text === "1/2" }, `× ${text}`)));
  private law = h("select", { "aria-label": "law of the run", id: "run-law" });
  private second = h("select", { "aria-label": "law of a second run beside it", id: "second-law" });
  private events = h("ol", { class: "events", "aria-label": "events" });
  private chips: Record<string, HTMLButtonElement> = {};
  private knobs = new KnobPanel((part) => this.store.set({ motion: { ...this.store.state.motion, ...part } }));
  private energy = new EnergyPlot((t) => this.seek(t));
  private shown: Screen[] = [];
  private recordings: Recording[] = [];
  private texts: Record<string, string>;
  private own?: SceneFile; // a dropped scene
  private computed = "";
  private time = 0;
  private isPlaying = false;
  private last = 0;
  private job = 0;
  private isVisible = false;

  constructor(private store: Store, private engine: Engine) {
    this.texts = Object.fromEntries(Object.entries(engine.scenes()).filter(([, text]) => bodiesOf(text) <= MOST_BODIES));
    const chips = Object.keys(this.texts).map((name) => (this.chips[name] = button(name.replaceAll("-", " "), sceneName(this.texts[name]), () => this.choose(name), { class: "chip" })));
    for (const select of [this.law, this.second]) {
      select.append(h("option", { value: "" }, select === this.law ? "as in the scene" : "no second run"), ...singleLaws().map((law) => h("option", { value: law.id }, law.name)));
      select.addEventListener("change", () => store.set({ motion: { ...store.state.motion, law: this.law.value, second: this.second.value } }));
    }
    const bar = h("div", { class: "bar" }, button("‹", "previous impact (left arrow)", () => this.step(-1), { "aria-label": "previous impact" }), this.play, button("›", "next impact (right arrow)", () => this.step(1), { "aria-label": "next impact" }), this.scrub, this.clock, this.speed);
    const stage = h("figure", { class: "stage" }, this.screens, bar);
    const open = h("input", { type: "file", accept: ".json", "aria-label": "open a scene file" });
    open.addEventListener("change", () => void open.files?.[0]?.text().then((text) => this.openText(text)));
    const laws = h("div", { class: "pair" }, h("label", { for: "run-law", class: "heading" }, "Law"), this.law, h("label", { for: "second-law", class: "heading" }, "Beside it"), this.second);
    const side = h("aside", { class: "side" }, this.status, laws, this.knobs.element, h("section", {}, h("h2", {}, "Events"), this.events), h("label", { class: "dim" }, "Your own scene: drop a file on the page, or ", open));
    const left = h("div", { class: "left" }, this.problem, stage, this.energy.element);
    this.element = h("div", { class: "view motion" }, h("div", { class: "chips", role: "group", "aria-label": "scenes" }, ...chips), left, side);
    this.scrub.addEventListener("input", () => this.seek(this.end() * Number(this.scrub.value)));
    window.addEventListener("themechange", () => this.shown.forEach((screen) => screen.theme()));
  }

  update(state: State): void {
    this.isVisible = true;
    const key = JSON.stringify([this.own ? "own" : state.scene, state.motion]);
    for (const [name, chip] of Object.entries(this.chips)) chip.setAttribute("aria-pressed", String(!this.own && name === state.scene));
    [this.law.value, this.second.value] = [state.motion.law, state.motion.second];
    this.knobs.update(state.motion, this.given(state));
    if (key !== this.computed) this.compute(state);
    this.computed = key;
  }

  hide(): void {
    this.isVisible = false;
    this.pause();
  }

  private choose(name: string): void {
    this.own = undefined;
    this.store.set({ scene: name, motion: STILL });
  }

  // The scene as its file has it.
  private given(state: State): SceneFile {
    return this.own ? structuredClone(this.own) : (JSON.parse(this.texts[state.scene] ?? this.texts["bouncing-ball"]) as SceneFile);
  }

  // The scene with the laws, the sliders and the stroke of the state.
  sceneOf(state: State, law: string): SceneFile {
    const scene = withKnobs(this.given(state), state.motion);
    if (!law) return scene;
    return { ...scene, law, pairs: scene.pairs?.map((pair) => ({ ...pair, law })) };
  }

  // ---- computing ----

  private compute(state: State): void {
    this.pause();
    const job = ++this.job;
    const laws = [state.motion.law, ...(state.motion.second ? [state.motion.second] : [])];
    this.problem.textContent = "";
    try {
      const scenes = laws.map((law) => this.sceneOf(state, law));
      scenes.forEach(checkScene);
      const recorders = scenes.map((scene) => new Recorder(this.engine.simulation(scene), scene));
      const done: Recording[] = [];
      const work = (): void => this.slice(job, recorders, done, scenes);
      work();
    } catch (error) {
      this.refuse(error);
    }
  }

  private slice(job: number, recorders: Recorder[], done: Recording[], scenes: SceneFile[]): void {
    if (job !== this.job) return;
    try {
      const recorder = recorders[done.length];
      if (recorder.work(SLICE)) done.push(recorder.finish());
      else this.status.textContent = `computing ${Math.round(100 * recorder.progress)} %`;
      if (done.length === recorders.length) return this.present(done, scenes);
      requestAnimationFrame(() => this.slice(job, recorders, done, scenes));
    } catch (error) {
      this.refuse(error);
    }
  }

  private refuse(error: unknown): void {
    this.problem.textContent = error instanceof Error ? error.message : String(error);
    this.status.textContent = "";
  }

  private present(recordings: Recording[], scenes: SceneFile[]): void {
    this.shown.forEach((screen) => screen.free());
    try {
      this.shown = recordings.map((recording, i) => new Screen(recording, recordings.length > 1 ? (scenes[i].law ?? "") : ""));
    } catch {
      this.shown = [];
      this.problem.textContent = "This browser gives the page no WebGL, which the pictures in space need; the energy and the list of impacts are below.";
    }
    replace(this.screens, ...this.shown.map((screen) => screen.element));
    if (hasCueBall(scenes[0])) this.shown.forEach((screen) => enableStroke(screen, () => this.time === 0, (velocity) => this.store.set({ motion: { ...this.store.state.motion, stroke: velocity } })));
    this.describe(recordings[0], scenes[0]);
    this.energy.show(recordings);
    this.list(recordings[0].events);
    this.recordings = recordings;
    this.seek(0);
    if (!prefersStill() && !hasCueBall(scenes[0])) this.toggle();
    else if (this.store.state.motion.stroke && !prefersStill()) this.toggle();
    this.element.dataset.computed = String(this.job);
  }

  private describe(recording: Recording, scene: SceneFile): void {
    const impacts = recording.events.filter((event) => event.kind === "impact").length;
    const ends: Record<string, string> = { rest: "then everything rests", time: "until the scene ends", impacts: "until the scene ends" };
    const cue = hasCueBall(scene) ? " Drag back from the cue ball and let go to play; the sliders set where the tip hits and how steep the cue is." : "";
    this.status.textContent = `${capital(scene.name ?? "A scene")}. ${impacts} ${impacts === 1 ? "impact" : "impacts"} in ${short(recording.run.end)} s, ${ends[recording.stop] ?? "until the scene ends"}.${cue}`;
  }

  private list(events: RecordedEvent[]): void {
    const rows = events.slice(0, MOST_ROWS).map((event) => {
      const jump = button(`${event.t.toFixed(4)} s`, "go there", () => this.seek(event.t), { class: "time" });
      const open = event.case ? button("open", "open this impact in the Impact view", () => this.store.set({ tab: "impact", case: { name: `impact of ${event.a} and ${event.b} at ${event.t.toFixed(4)} s`, ...event.case } }), { class: "open" }) : null;
      return h("li", {}, jump, h("span", {}, event.kind === "impact" ? "" : `${event.kind}: `, `${event.a}, ${event.b}`), open);
    });
    const more = events.length > MOST_ROWS ? h("li", { class: "dim" }, `and ${events.length - MOST_ROWS} more`) : null;
    replace(this.events, ...rows, more);
  }

  // ---- playing ----

  private end(): number {
    return Math.max(...this.recordings.map((recording) => recording.run.end), 1e-12);
  }

  toggle(): void {
    if (this.isPlaying) return this.pause();
    if (this.time >= this.end()) this.seek(0);
    this.isPlaying = true;
    this.play.textContent = "❚❚";
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private pause(): void {
    this.isPlaying = false;
    this.play.textContent = "▶";
  }

  private rate(): number {
    const [a, b] = this.speed.value.split("/");
    return b ? Number(a) / Number(b) : Number(a);
  }

  private tick(now: number): void {
    if (!this.isPlaying) return;
    const passed = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    this.seek(this.time + passed * this.rate());
    if (this.time >= this.end()) this.pause();
    else requestAnimationFrame((next) => this.tick(next));
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, 0), this.end());
    this.scrub.value = String(this.time / this.end());
    this.clock.textContent = `${this.time.toFixed(3)} s`;
    this.draw();
  }

  private step(direction: 1 | -1): void {
    this.pause();
    const t = neighbour(this.recordings[0]?.events ?? [], this.time, direction);
    if (t !== undefined) this.seek(t);
  }

  private draw(): void {
    if (!this.isVisible) return;
    this.shown.forEach((screen, i) => {
      const { events, run } = this.recordings[i];
      const t = Math.min(this.time, run.end);
      screen.draw(t, shownImpact(events, t, this.isPlaying ? this.rate() : 0.05), SHOW);
    });
    this.energy.at(this.time);
  }

  key(event: KeyboardEvent): void {
    if (event.key === " ") this.toggle();
    else if (event.key === "ArrowRight") this.step(1);
    else if (event.key === "ArrowLeft") this.step(-1);
    else return;
    event.preventDefault();
  }

  // ---- files ----

  // A scene that has been read; the change of the state that follows shows it.
  open(scene: SceneFile): void {
    this.own = scene;
    this.computed = "";
  }

  private openText(text: string): void {
    try {
      const file = readFile(this.engine, text);
      if (!("scene" in file)) throw new Error("This is the file of a case; paste it in the Impact view.");
      this.open(file.scene);
      this.store.set({ motion: STILL });
    } catch (error) {
      this.refuse(error);
    }
  }

  text(): string {
    return textOf(this.sceneOf(this.store.state, this.store.state.motion.law));
  }

  picture(): HTMLCanvasElement | undefined {
    return this.shown[0]?.picture;
  }
}

function bodiesOf(text: string): number {
  return Object.keys((JSON.parse(text) as SceneFile).bodies).length;
}

function sceneName(text: string): string {
  return (JSON.parse(text) as SceneFile).name ?? "";
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
