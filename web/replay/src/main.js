// Plays a run: the clock, the controls, and what is selected.
import { Panel, number } from "./panel.js";
import { Run } from "./run.js";
import { Stage } from "./stage.js";

const SLOW = 0.12; // speed near an impact
const SLOW_SECONDS = 0.25; // of the viewer's time on each side of it
const APART_SECONDS = 0.3; // of the viewer's time: impacts that follow sooner are not slowed down again
const SHOWN_SECONDS = 0.4; // of the viewer's time: how long the impulse of an impact is shown

const $ = (id) => document.getElementById(id);

class Player {
  constructor(run) {
    this.run = run;
    this.t = run.start;
    this.speed = 1;
    this.playing = false;
    this.show = { velocity: true, impulse: true, trails: true, impacts: true, slow: true };
    this.stage = new Stage(run, $("view"));
    this.panel = new Panel(run, $("panel"), (event) => this.select(event));
    this.impacts = run.events.filter((e) => e.kind === "impact");
    this.pickSlow();
    this.connect();
    this.resize();
    requestAnimationFrame((now) => this.tick(now));
  }

  // Impacts that get slow motion: not those that follow another one at once.
  pickSlow() {
    this.slow = [];
    for (const { t } of this.impacts) if (!this.slow.length || t - this.slow[this.slow.length - 1] > APART_SECONDS * this.speed) this.slow.push(t);
  }

  connect() {
    $("play").onclick = () => this.toggle();
    $("back").onclick = () => this.step(-1);
    $("next").onclick = () => this.step(1);
    $("scrub").oninput = (e) => this.seek(this.run.start + (this.run.end - this.run.start) * Number(e.target.value));
    $("speed").onchange = (e) => {
      this.speed = Number(e.target.value);
      this.pickSlow();
    };
    for (const name of Object.keys(this.show)) $(name).onchange = (e) => (this.show[name] = e.target.checked);
    $("home").onclick = () => {
      this.stage.touched = false;
      this.stage.controls.target.copy(this.stage.centre);
      this.stage.frameAll();
    };
    window.addEventListener("resize", () => this.resize());
    window.addEventListener("keydown", (e) => this.key(e));
    this.connectPicking();
    this.drawTicks();
  }

  connectPicking() {
    const canvas = $("view");
    let down = [0, 0];
    canvas.onpointerdown = (e) => (down = [e.clientX, e.clientY]);
    canvas.onpointerup = (e) => {
      if (Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
      const event = this.stage.pick(e.clientX, e.clientY);
      if (event) this.select(event);
    };
  }

  key(e) {
    if (e.target.tagName === "SELECT") return;
    if (e.key === " ") this.toggle();
    else if (e.key === "ArrowLeft") this.step(-1);
    else if (e.key === "ArrowRight") this.step(1);
    else return;
    e.preventDefault();
  }

  // "#t=0.5" opens the page at that time, "#event=3" at the third event; otherwise it plays.
  start(hash) {
    const at = /#(t|event)=([0-9.]+)/.exec(hash);
    const event = at?.[1] === "event" && this.run.events[Number(at[2]) - 1];
    if (event) this.select(event);
    else if (at) this.seek(Number(at[2]));
    else this.toggle(true);
  }

  drawTicks() {
    const length = this.run.end - this.run.start || 1;
    const stride = Math.ceil(this.impacts.length / 500) || 1;
    for (let i = 0; i < this.impacts.length; i += stride) {
      const tick = document.createElement("i");
      tick.style.left = `${(100 * (this.impacts[i].t - this.run.start)) / length}%`;
      $("ticks").append(tick);
    }
  }

  resize() {
    const box = $("stage").getBoundingClientRect();
    this.stage.resize(box.width, box.height);
  }

  toggle(play = !this.playing) {
    if (play && this.t >= this.run.end) this.seek(this.run.start);
    this.playing = play;
    $("play").textContent = play ? "II" : "▶";
    $("play").setAttribute("aria-label", play ? "pause" : "play");
    if (play) this.held = undefined;
  }

  seek(t) {
    this.t = Math.min(Math.max(t, this.run.start), this.run.end);
    this.held = undefined;
  }

  // Stop at an event and keep it shown.
  select(event) {
    this.toggle(false);
    this.seek(event.t);
    this.held = event;
    this.panel.select(event);
  }

  step(direction) {
    const events = this.run.events;
    const at = this.held ? events.indexOf(this.held) : -1;
    const next = at >= 0 ? events[at + direction] : direction > 0 ? events.find((e) => e.t > this.t) : [...events].reverse().find((e) => e.t < this.t);
    if (next) this.select(next);
  }

  // Slower the nearer an impact is, before and after it.
  pace() {
    if (!this.show.slow) return this.speed;
    const reach = SLOW_SECONDS * this.speed * SLOW;
    let nearest = Infinity;
    let low = 0;
    let high = this.slow.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.slow[middle] < this.t) low = middle + 1;
      else high = middle;
    }
    for (const k of [low - 1, low]) if (k in this.slow) nearest = Math.min(nearest, Math.abs(this.slow[k] - this.t));
    const away = Math.min(1, Math.max(0, nearest / reach - 1));
    return this.speed * (SLOW + (1 - SLOW) * away);
  }

  // The impact whose impulse is on show: the one that is held, or the last one, for a moment.
  shown() {
    if (this.held) return this.held;
    let low = 0;
    let high = this.impacts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.impacts[middle].t <= this.t) low = middle + 1;
      else high = middle;
    }
    const last = this.impacts[low - 1];
    return last && this.t - last.t < SHOWN_SECONDS * this.pace() ? last : undefined;
  }

  tick(now) {
    const dt = Math.min((now - (this.last ?? now)) / 1000, 0.1);
    this.last = now;
    if (this.playing) {
      this.t = Math.min(this.t + dt * this.pace(), this.run.end);
      if (this.t >= this.run.end) this.toggle(false);
    }
    this.draw();
    requestAnimationFrame((time) => this.tick(time));
  }

  draw() {
    const event = this.shown();
    if (event !== this.panel.selected && (event || this.playing)) this.panel.select(event ?? this.panel.selected);
    this.stage.draw(this.t, event, this.show);
    const length = this.run.end - this.run.start || 1;
    $("scrub").value = (this.t - this.run.start) / length;
    $("clock").textContent = `${this.t.toFixed(3)} s`;
  }
}

function fail(text) {
  $("stage").textContent = text;
  document.documentElement.dataset.failed = text;
}

try {
  const run = Run.decode(JSON.parse($("run").textContent));
  document.title = `${run.name} – Carom`;
  $("end").textContent = `${number(run.end)} s`;
  window.player = new Player(run);
  document.documentElement.dataset.ready = "true";
  window.player.start(location.hash);
} catch (error) {
  fail(`This page cannot be shown: ${error.message}`);
}
