// The Impulse space view: what an impact can end with, and where each law ends.
import { button, h, replace, s, symbol, watchSize, type Size } from "../dom";
import { attach } from "../drag";
import type { Engine } from "../engine";
import { short } from "../format";
import { aim, knobsOf, reachOf, withKnobs, type Solve } from "../impulse/aim";
import { outcomesOf, type Outcome } from "../impulse/marks";
import { boxOf, energyCurve, normalLine, problemOf, region, stickingLine, type Problem } from "../impulse/space";
import { impulseOf, LETTERS } from "../impulse/formula";
import { LawPanel } from "../impact/law-panel";
import { lawOf } from "../manifest";
import { axisName, Plane, type Box, type Pair } from "../plot";
import type { Results } from "../results";
import type { State, Store } from "../state";
import type { Answer, CaseFile } from "../types";
import type { View } from "./view";

const HINT = "Point at a line or a mark, and it is named here.";
const REACH_DELAY = 120; // ms after the last change until the reach is traced
const REACH_POINTS = 16; // per side

export class ImpulseView implements View {
  readonly element: HTMLElement;
  private svg = s("svg", { role: "group", "aria-label": "The plane of impulses" });
  private readout = h("p", { class: "readout", "aria-live": "polite" }, HINT);
  private list = h("ol", { class: "outcomes" });
  private found = h("p", { class: "found", "aria-live": "polite" });
  private note = h("p", { class: "dim" });
  private law: LawPanel;
  private grip = s("g", { class: "grip answer", "data-handle": "answer" }, s("circle", { r: 18, class: "hit" }), s("circle", { r: 7, class: "dot" }));
  private back = s("g");
  private plane?: Plane;
  private problem?: Problem;
  private file: CaseFile = {};
  private results: Results = { answers: [] };
  private wanted?: Pair;
  private reach: Pair[] = [];
  private reachKey = "";
  private timer = 0;
  private size: Size;
  private zoom = 1;
  private focus?: Pair; // the middle of a picture that is zoomed
  private formula = { t: "-mu * p_n * sign(u_t)", n: "-(1 + e) * u_n / K_nn" };
  private own = h("p", { class: "dim", "aria-live": "polite" });
  private isOwn = false; // the formula is drawn

  constructor(private store: Store, private engine: Engine) {
    this.law = new LawPanel(store);
    this.svg.append(this.back, this.grip);
    attach({
      element: this.grip, label: "the answer of the chosen law: drag it to find coefficients",
      drag: (at) => this.aimAt(this.plane!.from(at)),
      key: (dx, dy) => this.nudge(dx, dy),
      done: () => this.release(),
    }, (event) => this.locate(event));
    const side = h("aside", { class: "side" }, this.law.element, this.found, h("section", {}, h("h2", {}, "Outcomes"), this.list), this.formulaBox());
    const left = h("div", { class: "left" }, h("figure", { class: "stage" }, this.svg, h("div", { class: "bar" }, ...this.zoomButtons(), this.readout)), legend(), this.note);
    this.element = h("div", { class: "view plane" }, left, side);
    this.svg.addEventListener("pointerover", (event) => this.hover(event));
    this.svg.addEventListener("focusin", (event) => this.hover(event));
    this.size = watchSize(this.svg, () => this.draw());
    this.svg.addEventListener("wheel", (event) => {
      if (!this.plane) return;
      event.preventDefault();
      const box = this.svg.getBoundingClientRect();
      this.zoomBy(event.deltaY < 0 ? 1.25 : 0.8, this.plane.from([event.clientX - box.left, event.clientY - box.top]));
    }, { passive: false });
  }

  // ---- zoom ----

  private zoomButtons(): HTMLElement[] {
    return [
      button("+", "zoom in on the chosen law", () => this.zoomBy(2, this.chosenPoint()), { "aria-label": "zoom in" }),
      button("−", "zoom out", () => this.zoomBy(0.5), { "aria-label": "zoom out" }),
      button("all", "show everything", () => this.zoomBy(0), { "aria-label": "show everything" }),
    ];
  }

  // The point `at` stays where it is; a factor of zero shows everything.
  private zoomBy(factor: number, at?: Pair): void {
    const { plane } = this;
    const next = Math.min(Math.max(this.zoom * factor, 1), 1e6);
    if (!plane || !at || next === 1) this.focus = next === 1 ? undefined : this.focus;
    else {
      const middle: Pair = [(plane.box.x[0] + plane.box.x[1]) / 2, (plane.box.y[0] + plane.box.y[1]) / 2];
      const share = factor === 2 ? 1 : 1 - this.zoom / next; // a button brings the point to the middle
      this.focus = [middle[0] + share * (at[0] - middle[0]), middle[1] + share * (at[1] - middle[1])];
    }
    this.zoom = next;
    this.draw();
  }

  private zoomed(box: Box): Box {
    if (this.zoom === 1) return box;
    const side = ([a, b]: Pair, middle: number): Pair => [middle - (b - a) / 2 / this.zoom, middle + (b - a) / 2 / this.zoom];
    const middle = this.focus ?? [(box.x[0] + box.x[1]) / 2, (box.y[0] + box.y[1]) / 2];
    return { x: side(box.x, middle[0]), y: side(box.y, middle[1]) };
  }

  // ---- a law of one's own ----

  private formulaBox(): HTMLElement {
    const input = (part: "t" | "n"): HTMLElement => {
      const field = h("input", { type: "text", id: `formula-${part}`, value: this.formula[part], spellcheck: false, autocomplete: "off" });
      field.addEventListener("input", () => {
        this.formula[part] = field.value;
        this.isOwn = true;
        this.draw();
      });
      return h("label", { class: "formula" }, symbol(`p_${part}`), " = ", field);
    };
    const show = button("draw it", "draw the impulse of the formula beside the laws", () => {
      this.isOwn = !this.isOwn;
      show.setAttribute("aria-pressed", String(this.isOwn));
      this.draw();
    }, { "aria-pressed": "false" });
    return h("details", { class: "formulas" }, h("summary", {}, "A law of your own"), input("n"), input("t"), show, this.own, h("p", { class: "dim" }, LETTERS));
  }

  private ownMark(plane: Plane, k: Problem): SVGElement[] {
    this.own.textContent = "";
    if (!this.isOwn) return [];
    try {
      const { p, gains } = impulseOf(k, this.file.coefficients?.e ?? 0.5, this.formula);
      const outside = Math.abs(p[0]) > k.mu * p[1] * (1 + 1e-12) ? ", outside the friction cone" : "";
      this.own.textContent = `p_t ${short(p[0])}, p_n ${short(p[1])} N s${gains ? ", creates energy" : ""}${outside}`;
      const [x, y] = plane.at(p);
      return [s("g", { class: `outcome own${gains ? " gains" : ""}`, "data-name": `your law: ${this.own.textContent}` }, s("rect", { x: x - 5, y: y - 5, width: 10, height: 10 }), s("text", { x: x + 9, y: y - 8 }, "yours"))];
    } catch (error) {
      this.own.textContent = error instanceof Error ? error.message : String(error);
      return [];
    }
  }

  update(state: State, _before: State, results: Results): void {
    this.file = state.case;
    this.results = results;
    this.law.update(state.case, results.refusal?.path ?? "", results.refusal?.message ?? "");
    this.problem = results.chosen && problemOf(results.answers.find((a) => a.K) ?? results.chosen, state.case);
    if (!this.wanted) this.found.textContent = "Drag the ringed answer: the lab finds the coefficients of the chosen law that give it.";
    this.note.textContent = this.problem?.isSlice ? "This contact is spatial. The picture is the slice of impulse space through the normal and the slip before; outcomes are projected onto it." : "";
    this.planReach();
    this.draw();
  }

  // The reach costs many solves: it follows when the case has been left alone for a moment.
  private planReach(): void {
    const { law, coefficients, name: _name, ...rest } = this.file;
    const knobs = knobsOf(lawOf(law)).map((k) => k.name);
    const others = Object.fromEntries(Object.entries(coefficients ?? {}).filter(([key]) => !knobs.includes(key)));
    const key = JSON.stringify([law, others, rest, this.file.coefficients?.mu]);
    if (key === this.reachKey) return;
    this.reachKey = key;
    this.reach = [];
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.traceReach(), REACH_DELAY);
  }

  private traceReach(): void {
    const law = lawOf(this.file.law);
    if (!this.problem || !law || this.results.refusal) return;
    const knobs = knobsOf(law).map((knob) => (knob.name === "mu" ? { ...knob, max: this.problem!.mu } : knob));
    this.reach = reachOf(this.file, knobs, this.solver(), REACH_POINTS) as Pair[];
    this.draw();
  }

  private solver(): Solve {
    const { problem, engine } = this;
    return (file) => {
      try {
        const p = engine.solve(file).p;
        return p && problem ? problem.toPlane(p) : undefined;
      } catch {
        return undefined;
      }
    };
  }

  private locate(event: PointerEvent): Pair {
    const box = this.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private aimAt(at: Pair): void {
    const knobs = knobsOf(lawOf(this.file.law));
    const isFirst = this.wanted === undefined;
    this.wanted = at;
    const { values, distance } = aim(this.file, knobs, at, this.solver(), isFirst);
    const size = Math.hypot(...at) || 1;
    const numbers = knobs.map((knob, i) => `${knob.name} = ${short(values[i])}`).join(", ");
    this.found.textContent = distance < 1e-3 * size ? `${this.file.law} ends here with ${numbers}.` : `${this.file.law} does not reach this impulse; the nearest it gives is ${short(distance, 3)} N s away, with ${numbers}.`;
    const rounded = values.map((v) => Number(v.toPrecision(8)));
    this.store.set({ case: withKnobs(this.file, knobs, rounded) });
  }

  private nudge(dx: number, dy: number): void {
    const p = this.chosenPoint();
    if (!p || !this.plane) return;
    const step = 0.01 * (this.plane.box.y[1] - this.plane.box.y[0]);
    this.aimAt([p[0] + step * dx, p[1] + step * dy]);
    this.wanted = undefined;
  }

  private release(): void {
    this.wanted = undefined;
    this.draw();
  }

  private chosenPoint(): Pair | undefined {
    const p = this.results.chosen?.p;
    return p && this.problem?.toPlane(p);
  }

  private hover(event: Event): void {
    const named = (event.target as Element).closest("[data-name]");
    this.readout.textContent = named?.getAttribute("data-name") ?? HINT;
  }

  private draw(): void {
    const { problem, size: box } = this;
    if (box.width < 10) return;
    if (!problem) return this.drawNothing();
    const outcomes = outcomesOf(problem, this.results.answers);
    if (!this.wanted || !this.plane) this.plane = new Plane(box.width, box.height, this.zoomed(boxOf(problem, outcomes.map((o) => o.p))), true);
    const { plane } = this;
    const name = problem.isSlice ? "s" : this.results.chosen?.p?.length === 3 ? "t1" : "t";
    const curves = s("g", { "clip-path": "url(#impulse-clip)" }, ...this.shapes(plane, problem), ...this.paths(plane, problem));
    replace(this.back, plane.clip("impulse-clip"), plane.axes(axisName("tangential impulse", "p", name, "N s"), axisName("normal impulse", "p", "n", "N s")), curves, ...this.points(plane, outcomes), ...this.ownMark(plane, problem));
    this.placeGrip(plane);
    replace(this.list, ...outcomes.map((o) => this.item(o)));
  }

  private drawNothing(): void {
    replace(this.back, s("text", { x: 24, y: 40, class: "axis-name" }, "Nothing to draw: the case has no impact at one contact."));
    this.grip.style.display = "none";
  }

  private placeGrip(plane: Plane): void {
    const p = this.chosenPoint();
    this.grip.style.display = p ? "" : "none";
    if (!p) return;
    const [x, y] = plane.at(this.wanted ?? p);
    this.grip.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    this.grip.setAttribute("data-name", `${this.results.chosen?.law}: p_t ${short(p[0])}, p_n ${short(p[1])} N s. Drag it.`);
    this.grip.setAttribute("aria-valuetext", `tangential ${short(p[0])}, normal ${short(p[1])} newton seconds`);
  }

  private shapes(plane: Plane, k: Problem): SVGElement[] {
    const named = (element: SVGElement, name: string): SVGElement => {
      element.setAttribute("data-name", name);
      element.append(s("title", {}, name));
      return element;
    };
    const polygon = (points: Pair[], className: string): SVGElement => s("polygon", { points: plane.points(points), class: className });
    const straight = (line: { point: Pair; direction: Pair } | undefined, className: string): SVGElement => (line ? plane.line(plane.through(line.point, line.direction), className) : s("g"));
    const newton = this.file.coefficients?.e ?? 0.5;
    const list = [
      named(polygon(region(k), "region"), "accessible region: no penetration, no energy created, inside the friction cone"),
      ...(this.reach.length > 1 ? [named(plane.line([...this.reach, this.reach[0]], "reach"), `what ${this.file.law} reaches when its coefficients sweep their ranges`)] : []),
      named(plane.line(energyCurve(k), "energy"), "no change of energy: outside this ellipse the impulse creates energy"),
      ...[1, -1].map((side) => named(plane.line(plane.through([0, 0], [side * k.mu, 1]), "cone"), "friction cone: |p_t| = mu p_n")),
      named(straight(normalLine(k, 0), "compression"), "maximum compression: u_n = 0; below it the bodies still approach"),
      named(straight(stickingLine(k), "sticking"), "sticking: u_t = 0 after the impact"),
      named(straight(normalLine(k, -newton * k.u[1]), "newton"), "Newton's restitution: u_n after = -e u_n before"),
    ];
    return list;
  }

  // The paths inside the impact, of the chosen law.
  private paths(plane: Plane, k: Problem): SVGElement[] {
    const chosen = this.results.chosen;
    if (!chosen?.p || !lawOf(chosen.law)?.traits.includes("path")) return [];
    const points = this.trace(chosen).map((p) => k.toPlane(p));
    const line = plane.line(points, "inside");
    line.append(s("title", {}, "path inside the impact"));
    line.setAttribute("data-name", `the path of ${chosen.law} inside the impact`);
    return [line];
  }

  private trace(chosen: Answer): number[][] {
    try {
      return this.engine.trace({ ...this.file, law: chosen.law }, 60).points.map((point) => point.p);
    } catch {
      return (chosen.events ?? []).map((event) => event.p);
    }
  }

  private points(plane: Plane, outcomes: Outcome[]): SVGElement[] {
    const { inner } = plane;
    const seen = outcomes.filter((o) => {
      const [x, y] = plane.at(o.p);
      return x >= inner.x && x <= inner.x + inner.width && y >= inner.y && y <= inner.y + inner.height;
    });
    const placed: Pair[] = outcomes.map((outcome) => plane.at(outcome.p)).map(([x, y]) => [x - 4, y + 4]);
    return seen.map((outcome) => {
      const [x, y] = plane.at(outcome.p);
      const name = `${outcome.laws.join(", ")}: p_t ${short(outcome.p[0])}, p_n ${short(outcome.p[1])} N s${outcome.gains ? "; creates energy" : ""}`;
      const [lx, ly] = labelPlace([x, y], placed);
      placed.push([lx, ly]);
      const isChosen = outcome.laws.includes(this.file.law ?? "");
      const group = s("g", { class: `outcome${outcome.gains ? " gains" : ""}${isChosen ? " chosen" : ""}`, "data-name": name }, s("circle", { cx: x, cy: y, r: 4.5 }), s("text", { x: lx, y: ly }, outcome.letter), s("title", {}, name));
      group.addEventListener("click", () => this.store.edit((file) => ({ ...file, law: outcome.laws[0] })));
      return group;
    });
  }

  private item(outcome: Outcome): HTMLElement {
    const laws = outcome.laws.map((law) => button(law, lawOf(law)?.summary ?? law, () => this.store.edit((file) => ({ ...file, law })), { class: "law", "aria-pressed": law === this.file.law ? "true" : "false" }));
    return h("li", { class: outcome.gains ? "gains" : "" }, h("b", {}, outcome.letter), h("span", {}, ...laws, outcome.gains ? h("em", {}, " gains energy") : null));
  }

  picture(): SVGSVGElement {
    return this.svg;
  }
}

// Letters of close points step aside.
function labelPlace([x, y]: Pair, placed: Pair[]): Pair {
  const tries: Pair[] = [[8, -7], [8, 15], [-16, -7], [-16, 15], [0, -13], [0, 21], [18, 4]];
  const free = tries.map(([dx, dy]): Pair => [x + dx, y + dy]).find(([a, b]) => placed.every((p) => Math.hypot(p[0] - a, p[1] - b) > 12));
  return free ?? [x + 8, y - 7];
}

function legend(): HTMLElement {
  const entries: [string, string | Node][] = [
    ["region", "accessible region"], ["energy", "no change of energy"], ["cone", "friction cone"], ["compression", "maximum compression"],
    ["sticking", "sticking"], ["newton", h("span", {}, "restitution ", symbol("e"), " along the normal")], ["reach", "reach of the chosen law"], ["inside", "path inside the impact"],
  ];
  return h("ul", { class: "key" }, ...entries.map(([kind, text]) => h("li", {}, h("span", { class: `line ${kind}`, "aria-hidden": "true" }), text)));
}
