// The side view of an impact: what is dragged, and slow motion.
import { button, h, prefersStill, replace, s, watchSize, type Size } from "../dom";
import { attach } from "../drag";
import type { Store } from "../state";
import type { Answer, CaseFile } from "../types";
import { armAt, arrow, bodyShape, clearTime, floor, spinArc, timeAt, trails, type Spans } from "./draw";
import { frameOf, toPixels, toWorld, type Frame } from "./frame";
import { handlesOf, type HandleSpec, type Scales } from "./handles";
import type { Point } from "./outline";
import { pictureOf, type Picture } from "./picture";

const SECONDS = 3.2; // of the viewer's time, for before and after together

export class Stage {
  readonly element: HTMLElement;
  readonly svg = s("svg", { role: "group", "aria-label": "The impact, seen from the side. Drag the handles, or focus one and use the arrow keys." });
  private back = s("g");
  private grips = s("g", { class: "grips" });
  private specs: HandleSpec[] = [];
  private grip = new Map<string, SVGGElement>();
  private frame: Frame = frameOf(640, 420, pictureOf({}));
  private picture: Picture = pictureOf({});
  private scales: Scales = { perSpeed: 1, perSpin: 1, arc: 1, normal: 1 };
  private scrub = h("input", { type: "range", min: -1, max: 1, step: 0.001, value: 0, "aria-label": "time: before to after the impact" });
  private play = button("▶", "play in slow motion (space)", () => this.toggle(), { "aria-label": "play in slow motion" });
  private clock = h("output", { class: "clock" });
  private started = 0;
  private isDragging = false;
  private answers: Answer[] = [];
  private chosen?: Answer;
  private size: Size;

  constructor(private store: Store) {
    this.svg.append(this.back, this.grips);
    const bar = h("div", { class: "bar" }, this.play, h("span", { class: "dim" }, "before"), this.scrub, h("span", { class: "dim" }, "after"), this.clock);
    this.element = h("figure", { class: "stage" }, this.svg, bar);
    this.scrub.addEventListener("input", () => this.draw());
    this.size = watchSize(this.svg, () => this.resize());
  }

  update(file: CaseFile, answers: Answer[], chosen: Answer | undefined, isNew: boolean): void {
    this.answers = answers;
    this.chosen = chosen;
    this.picture = pictureOf(file, chosen);
    if (isNew || !this.isDragging) this.fit(isNew);
    this.makeHandles(file);
    this.draw();
  }

  // The scales stay while something is dragged; afterwards they follow when an arrow has become too long or too short.
  private fit(isNew: boolean): void {
    const { reach, fastest } = this.picture;
    this.frame = frameOf(this.size.width || 640, this.size.height || 420, this.picture);
    const length = (this.scales.perSpeed * fastest) / reach;
    const usual = this.picture.slip ? 0.95 : 0.68;
    const perSpeed = isNew || length < 0.2 || length > 1.1 ? (usual * reach) / fastest : this.scales.perSpeed;
    this.scales = { perSpeed, perSpin: 0.35 * (reach / fastest), arc: 0.3 * reach, normal: 0.36 * reach };
  }

  private resize(): void {
    this.fit(false);
    this.draw();
  }

  private makeHandles(file: CaseFile): void {
    const specs = handlesOf(file, this.picture);
    if (specs.map((x) => x.id).join() === this.specs.map((x) => x.id).join()) return;
    this.specs = specs;
    this.grip.clear();
    replace(this.grips, ...specs.map((spec) => this.makeHandle(spec)));
  }

  private makeHandle(spec: HandleSpec): SVGGElement {
    const element = s("g", { class: `grip ${spec.id}`, "data-handle": spec.id }, s("circle", { r: 16, class: "hit" }), s("circle", { r: 5.5, class: "dot" }), s("title", {}, spec.label));
    const move = (to: Point): void => {
      this.isDragging = true;
      const [picture, scales] = [this.picture, this.scales];
      this.store.edit((file) => spec.drag(file, to, picture, scales));
    };
    const done = (): void => {
      this.isDragging = false;
      this.store.set({});
    };
    attach({
      element, label: spec.label, done,
      drag: (at) => move(toWorld(this.frame, at)),
      key: (dx, dy) => {
        const [x, y] = spec.place(this.picture, this.scales);
        const step = 0.01 * this.picture.reach;
        const isTurn = spec.id.startsWith("spin") || spec.id === "normal";
        move(isTurn ? this.turned(spec, [x, y], dx + dy) : [x + step * dx, y + step * dy]);
        this.isDragging = false;
      },
    }, (event) => this.locate(event));
    this.grip.set(spec.id, element);
    return element;
  }

  // A handle on an arc moves along it.
  private turned(spec: HandleSpec, [x, y]: Point, steps: number): Point {
    const centre = spec.id === "normal" ? [0, 0] : (this.picture.bodies.find((b) => spec.id.endsWith(b.key))?.centre ?? [0, 0]);
    const [dx, dy] = [x - centre[0], y - centre[1]];
    const [c, sn] = [Math.cos(0.02 * steps), Math.sin(0.02 * steps)];
    return [centre[0] + c * dx - sn * dy, centre[1] + sn * dx + c * dy];
  }

  private locate(event: PointerEvent): Point {
    const box = this.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // The times that are shown: until the bodies have moved by about their size, or meet the floor again.
  private spans(): Spans {
    const { arm, reach, fastest } = this.picture;
    const time = arm ? 0.5 / Math.max(...arm.before.map(Math.abs), ...(arm.after ?? []).map(Math.abs), 1e-12) : (0.8 * reach) / fastest;
    return { before: clearTime(this.picture, time, -1), after: clearTime(this.picture, time, 1) };
  }

  private draw(): void {
    const part = Number(this.scrub.value);
    const { frame, picture } = this;
    const time = timeAt(this.spans(), part);
    replace(this.back, ...this.scenery(), ...(part === 0 ? this.instant() : this.moment(time)));
    this.grips.style.visibility = part === 0 ? "visible" : "hidden";
    for (const spec of this.specs) {
      const [x, y] = toPixels(frame, spec.place(picture, this.scales));
      const grip = this.grip.get(spec.id);
      grip?.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
      grip?.setAttribute("aria-valuetext", spec.text(picture));
    }
    this.clock.textContent = picture.slip ? "" : `${(1000 * time).toFixed(1)} ms`;
  }

  private scenery(): SVGElement[] {
    const { frame, picture } = this;
    if (picture.slip) return [floor(frame, picture)];
    return [...(picture.hasFloor ? [floor(frame, picture)] : []), trails(frame, picture, this.spans())];
  }

  // A moment of the slow motion.
  private moment(time: number): SVGElement[] {
    if (this.picture.arm) return [armAt(this.frame, this.picture, time, "moving")];
    return this.picture.bodies.map((body) => bodyShape(this.frame, body, time, body.key));
  }

  // The instant of the impact: bodies, impulse, velocities before and after.
  private instant(): SVGElement[] {
    const { frame, picture, scales } = this;
    if (picture.slip) return this.slipArrows();
    const shapes = picture.arm ? [armAt(frame, picture, 0, "a")] : picture.bodies.map((body) => bodyShape(frame, body, 0, body.key));
    const others = this.otherLaws();
    const motions = picture.bodies.flatMap((body) => {
      const centre = toPixels(frame, body.centre);
      const tip = (v: Point): Point => toPixels(frame, [body.centre[0] + scales.perSpeed * v[0], body.centre[1] + scales.perSpeed * v[1]]);
      return [
        spinArc(frame, body, body.before, scales, "before"),
        ...(body.after ? [spinArc(frame, body, body.after, scales, "after"), arrow(centre, tip(body.after.velocity), "after")] : []),
        arrow(centre, tip(body.before.velocity), "before"),
      ];
    });
    return [...shapes, this.normalArrow(), ...others, this.impulseArrow(), ...motions, this.contactDot()];
  }

  private contactDot(): SVGElement {
    return s("circle", { cx: this.frame.origin[0], cy: this.frame.origin[1], r: 3.5, class: "contact" });
  }

  private normalArrow(): SVGElement {
    const { normal } = this.picture;
    const tip = toPixels(this.frame, [this.scales.normal * normal[0], this.scales.normal * normal[1]]);
    return s("g", {}, arrow(this.frame.origin, tip, "normal"), s("text", { x: tip[0] + 9, y: tip[1] - 7, class: "letter" }, "n"));
  }

  private impulseArrow(): SVGElement {
    const p = this.picture.impulse;
    const length = p ? Math.hypot(...p) : 0;
    if (!p || !(length > 0)) return s("g");
    const size = 0.5 * this.picture.reach;
    return arrow(this.frame.origin, toPixels(this.frame, [(size * p[0]) / length, (size * p[1]) / length]), "impulse");
  }

  // Thin arrows: where A would go under the other laws.
  private otherLaws(): SVGElement[] {
    const centre = this.picture.bodies[0]?.centre;
    if (!centre) return [];
    return this.answers.filter((a) => a !== this.chosen && a.bodies?.a).map((a) => {
      const after = pictureVelocity(a);
      return arrow(toPixels(this.frame, centre), toPixels(this.frame, [centre[0] + this.scales.perSpeed * after[0], centre[1] + this.scales.perSpeed * after[1]]), "other");
    });
  }

  private slipArrows(): SVGElement[] {
    const { frame, picture, scales } = this;
    const tip = (v: Point): Point => toPixels(frame, [scales.perSpeed * v[0], scales.perSpeed * v[1]]);
    const others = this.answers.filter((a) => a !== this.chosen && a.u_after).map((a) => arrow(frame.origin, tip(pictureSlip(a)), "other"));
    const { before, after } = picture.slip!;
    return [this.normalArrow(), ...others, this.impulseArrow(), ...(after ? [arrow(frame.origin, tip(after), "after")] : []), arrow(frame.origin, tip(before), "before"), this.contactDot()];
  }

  // ---- slow motion ----

  toggle(): void {
    if (this.started) return this.stop();
    if (prefersStill()) {
      const next = Number(this.scrub.value) + 1 / 3; // no animation: one step at a time
      this.scrub.value = String(next > 1 ? -1 : next);
      return this.draw();
    }
    this.started = performance.now();
    this.play.textContent = "❚❚";
    requestAnimationFrame((now) => this.tick(now));
  }

  stop(): void {
    this.started = 0;
    this.play.textContent = "▶";
    this.scrub.value = "0";
    this.draw();
  }

  private tick(now: number): void {
    if (!this.started) return;
    const part = -1 + (2 * (now - this.started)) / (1000 * SECONDS);
    if (part > 1) return this.stop();
    this.scrub.value = String(Math.abs(part) < 1e-3 ? 1e-3 : part);
    this.draw();
    requestAnimationFrame((next) => this.tick(next));
  }
}

function pictureVelocity(answer: Answer): Point {
  const v = answer.bodies!.a.velocity;
  return v.length === 2 ? [v[0], v[1]] : [v[0], v[2]];
}

function pictureSlip(answer: Answer): Point {
  const u = answer.u_after!;
  return u.length === 2 ? [u[0], u[1]] : [u[0], u[2]];
}
