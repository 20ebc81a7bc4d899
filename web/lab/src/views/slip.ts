// The Slip plane view: how slip turns and stops during an impact, and how the normal velocity follows.
import { h, replace, s, watchSize, type Size } from "../dom";
import { attach } from "../drag";
import type { Engine } from "../engine";
import { short } from "../format";
import { contactOf } from "../impulse/space";
import { tidy } from "../impact/edits";
import { LawPanel } from "../impact/law-panel";
import { lawOf } from "../manifest";
import { axisName, Plane, type Pair } from "../plot";
import type { Results } from "../results";
import { sourceOf } from "../case";
import { comesToRest, drift, rays, slipProblem, sticks, streamline, type Ray, type SlipProblem } from "../slip/flow";
import { compressions } from "../slip/phases";
import type { State, Store } from "../state";
import type { CaseFile, Trace } from "../types";
import type { View } from "./view";

const HINT = "Point at a line or a mark, and it is named here.";
const STARTS = 16;
const POINTS = 160; // of the path

export class SlipView implements View {
  readonly element: HTMLElement;
  private svg = s("svg", { role: "group", "aria-label": "The plane of slip" });
  private back = s("g");
  private grip = s("g", { class: "grip slip", "data-handle": "slip-start" }, s("circle", { r: 17, class: "hit" }), s("circle", { r: 6, class: "dot" }));
  private phases = s("svg", { class: "phases", role: "img", "aria-label": "Normal velocity against normal impulse" });
  private energies = s("svg", { class: "phases", role: "img", "aria-label": "Works and stored energies against normal impulse" });
  private readout = h("p", { class: "readout", "aria-live": "polite" }, HINT);
  private note = h("p", { class: "story" });
  private law: LawPanel;
  private legend = h("ul", { class: "key" });
  private file: CaseFile = {};
  private contact: { K?: number[][]; u?: number[] } = {};
  private trace?: Trace;
  private plane?: Plane;
  private isDragging = false;
  private size: Size;

  constructor(private store: Store, private engine: Engine) {
    this.law = new LawPanel(store);
    this.svg.append(this.back, this.grip);
    attach({
      element: this.grip, label: "slip before the impact",
      drag: (at) => this.move(this.plane!.from(at)),
      key: (dx, dy) => this.nudge(dx, dy),
      done: () => {
        this.isDragging = false;
        this.draw();
      },
    }, (event) => this.locate(event));
    const charts = h("div", { class: "charts" }, this.phases, this.energies);
    const side = h("aside", { class: "side" }, this.law.element, this.note);
    const left = h("div", { class: "left" }, h("figure", { class: "stage" }, this.svg, h("div", { class: "bar" }, this.readout)), this.legend);
    this.element = h("div", { class: "view plane" }, left, side, charts);
    this.svg.addEventListener("pointerover", (event) => (this.readout.textContent = (event.target as Element).closest("[data-name]")?.getAttribute("data-name") ?? HINT));
    this.size = watchSize(this.svg, () => this.draw());
  }

  update(state: State, _before: State, results: Results): void {
    this.file = state.case;
    this.law.update(state.case, results.refusal?.path ?? "", results.refusal?.message ?? "");
    this.contact = results.refusal ? {} : contactOf(results.answers.find((a) => a.K), state.case);
    this.trace = this.follow();
    this.draw();
  }

  // The path of the chosen law, or of routh-stronge where the law has none.
  private follow(): Trace | undefined {
    const law = lawOf(this.file.law)?.traits.includes("path") ? this.file.law : "routh-stronge";
    try {
      return this.engine.trace({ ...this.file, law }, POINTS);
    } catch {
      return undefined;
    }
  }

  private locate(event: PointerEvent): Pair {
    const box = this.svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  // Only a case of K and u has its slip as numbers of its own; bodies are moved in the Impact view.
  private canDrag(): boolean {
    return sourceOf(this.file) === "reduced" && this.file.reduced?.u?.length === 3;
  }

  private move([x, y]: Pair): void {
    if (!this.canDrag()) return;
    this.isDragging = true;
    this.store.edit((file) => ({ ...file, reduced: { ...file.reduced, u: [tidy(x), tidy(y), file.reduced!.u![2]] } }));
  }

  private nudge(dx: number, dy: number): void {
    const u = this.file.reduced?.u;
    if (!u || !this.plane) return;
    const step = 0.01 * (this.plane.box.y[1] - this.plane.box.y[0]);
    this.move([u[0] + step * dx, u[1] + step * dy]);
    this.isDragging = false;
  }

  private draw(): void {
    const { width, height } = this.size;
    const { K, u } = this.contact;
    if (width < 10) return;
    if (!K || !u) return this.drawNothing();
    if (u.length !== 3) return this.drawLine(K, u);
    const problem = slipProblem(K, this.file.coefficients?.mu ?? 0.3);
    const path = (this.trace?.points ?? []).map((point): Pair => [point.u[0], point.u[1]]);
    const reach = this.reachOf(u, path);
    if (!this.isDragging || !this.plane) this.plane = new Plane(width, height, { x: [-1.25 * reach, 1.25 * reach], y: [-1.25 * reach, 1.25 * reach] }, true);
    this.drawPlane(this.plane, problem, reach, path);
    this.drawCharts();
  }

  private reachOf(u: number[], path: Pair[]): number {
    return Math.max(Math.hypot(u[0], u[1]), 0.6 * Math.max(...path.map((p) => Math.hypot(...p)), 0)) || Math.abs(u[2]) || 1;
  }

  private drawNothing(): void {
    replace(this.back);
    this.grip.style.display = "none";
    this.note.textContent = "The case has no impact at one contact, so there is no slip to draw.";
    replace(this.legend);
    this.drawCharts();
  }

  // A planar contact has a line of slip: two directions, and rest between them.
  private drawLine(K: number[][], u: number[]): void {
    const { width, height } = this.size;
    const path = (this.trace?.points ?? []).map((point): Pair => [point.u[0], 0]);
    const reach = Math.max(Math.abs(u[0]), ...path.map((p) => Math.abs(p[0])), 1e-12);
    const plane = new Plane(width, height, { x: [-1.25 * reach, 1.25 * reach], y: [-0.5 * reach, 0.5 * reach] }, true);
    const mu = this.file.coefficients?.mu ?? 0.3;
    const rate = (side: 1 | -1): number => K[0][1] - side * mu * K[0][0]; // du_t/dp_n while slip goes to this side
    const holds = Math.abs(K[0][1]) <= mu * K[0][0];
    const flow = ([1, -1] as const).map((side) => {
      const stops = side * rate(side) < 0;
      const group = s("g", { class: `stream ${stops ? "rests" : "grows"}`, "data-name": stops ? "slip to this side comes to rest" : "slip to this side grows" }, plane.line([[0, 0], [1.2 * side * reach, 0]], ""));
      for (const at of [0.3, 0.6, 0.9]) group.append(head(plane.at([at * side * reach, 0]), [Math.sign(rate(side)) || 1, 0]));
      return group;
    });
    const [x0, y0] = plane.at([0, 0]);
    const rest = s("circle", { cx: x0, cy: y0, r: 6, class: holds ? "rest-mark holds" : "rest-mark", "data-name": holds ? "rest: friction holds it" : "rest: friction cannot hold it" });
    this.plane = plane;
    replace(this.back, plane.axes(axisName("slip", "u", "t", "m/s"), s("text", { class: "axis-name" })), ...flow, rest, this.pathLine(plane, path), this.end(plane, path));
    const [x, y] = plane.at([u[0], 0]);
    this.grip.style.display = "";
    this.grip.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    this.grip.setAttribute("data-name", "slip before");
    this.note.textContent = `This contact is planar: its slip plane is a line. Slip to the right ${rate(1) < 0 ? "comes to rest" : "grows"}, slip to the left ${rate(-1) > 0 ? "comes to rest" : "grows"}; ${holds ? "slip that stops stays stopped." : "friction cannot hold it at rest."}`;
    replace(this.legend, ...([["rests", "comes to rest"], ["grows", "slip grows"], ["inside", `this case, ${this.trace?.law ?? ""}`]] as const).map(([kind, text]) => h("li", {}, h("span", { class: `line ${kind}`, "aria-hidden": "true" }), text)));
    this.drawCharts();
  }

  private drawPlane(plane: Plane, problem: SlipProblem, reach: number, path: Pair[]): void {
    const list = rays(problem);
    const starts = Array.from({ length: STARTS }, (_, i): Pair => [reach * Math.cos((2 * Math.PI * i) / STARTS), reach * Math.sin((2 * Math.PI * i) / STARTS)]);
    const rest = starts.map((p) => comesToRest(problem, list, Math.atan2(p[1], p[0])));
    const flow = starts.map((p, i) => this.stream(plane, problem, p, reach, rest[i]));
    const clipped = s("g", { "clip-path": "url(#slip-clip)" }, this.basin(plane, problem, list), ...flow, ...list.map((r) => rayLine(plane, r, reach)), this.pathLine(plane, path));
    replace(this.back, plane.clip("slip-clip"), plane.axes(axisName("slip", "u", "t1", "m/s"), axisName("slip", "u", "t2", "m/s")), clipped, this.end(plane, path));
    const [x, y] = plane.at([this.contact.u![0], this.contact.u![1]]);
    this.grip.style.display = "";
    this.grip.setAttribute("transform", `translate(${x.toFixed(2)} ${y.toFixed(2)})`);
    this.grip.setAttribute("data-name", this.canDrag() ? "slip before: drag it" : "slip before");
    this.grip.setAttribute("aria-valuetext", `${short(this.contact.u![0])}, ${short(this.contact.u![1])} metres per second`);
    this.explain(problem, list, rest.filter(Boolean).length);
  }

  private stream(plane: Plane, problem: SlipProblem, start: Pair, reach: number, rests: boolean): SVGElement {
    const points = streamline(problem, start, reach);
    const kind = rests ? "rests" : "grows";
    const group = s("g", { class: `stream ${kind}`, "data-name": rests ? "slip from here comes to rest" : "slip from here grows" }, plane.line(points, ""));
    const at = points[Math.min(24, points.length - 1)];
    const d = drift(problem, at);
    const length = Math.hypot(...d);
    if (length > 0) group.append(head(plane.at(at), [d[0] / length, -d[1] / length]));
    return group;
  }

  // The starts that come to rest: arcs between rays.
  private basin(plane: Plane, problem: SlipProblem, list: Ray[]): SVGElement {
    const far = 3 * Math.max(plane.box.x[1], plane.box.y[1]);
    const steps = 360;
    const wedges = Array.from({ length: steps }, (_, i) => (2 * Math.PI * (i + 0.5)) / steps).filter((theta) => comesToRest(problem, list, theta));
    const half = Math.PI / steps + 1e-4;
    const d = wedges.map((theta) => `M${plane.at([0, 0]).join(" ")}L${plane.at([far * Math.cos(theta - half), far * Math.sin(theta - half)]).join(" ")}L${plane.at([far * Math.cos(theta + half), far * Math.sin(theta + half)]).join(" ")}Z`).join("");
    return s("path", { d, class: "basin", "data-name": "basin of rest: slip that starts here stops" });
  }

  private pathLine(plane: Plane, path: Pair[]): SVGElement {
    const line = plane.line(path, "inside");
    line.setAttribute("data-name", `the path of this case under ${this.trace?.law ?? ""}`);
    return line;
  }

  private end(plane: Plane, path: Pair[]): SVGElement {
    if (path.length === 0) return s("g");
    const [x, y] = plane.at(path[path.length - 1]);
    return s("rect", { x: x - 4, y: y - 4, width: 8, height: 8, class: "after-mark", "data-name": "slip after" });
  }

  private explain(problem: SlipProblem, list: Ray[], resting: number): void {
    const law = this.trace?.law ?? "";
    const own = law === this.file.law ? "" : ` ${this.file.law} has no path; the black one is that of ${law}.`;
    const phases = this.trace ? compressions(this.trace.points).length : 0;
    const stop = sticks(problem) ? "Slip that stops stays stopped." : "Slip that stops leaves again along the diverging ray.";
    this.note.textContent = `${list.length === 0 ? "Every direction of slip is kept" : `${list.length} directions of slip are kept (rays)`}; ${resting} of ${STARTS} starts come to rest. ${stop} This impact has ${phases === 1 ? "one compression" : phases === 2 ? "two compressions" : `${phases} compressions`}.${own}`;
    const entries: [string, string][] = [["rests", "comes to rest"], ["grows", "slip grows"], ["region", "basin of rest"], ["diverging", "ray, diverging"], ["converging", "ray, converging"], ["converging repels", "ray, converging and repelling"], ["inside", `this case, ${law}`]];
    replace(this.legend, ...entries.map(([kind, text]) => h("li", {}, h("span", { class: `line ${kind}`, "aria-hidden": "true" }), text)));
  }

  // ---- u_n and energies along the path ----

  private drawCharts(): void {
    const points = this.trace?.points ?? [];
    const isEmpty = points.length < 2;
    for (const chart of [this.phases, this.energies]) chart.style.display = isEmpty ? "none" : "";
    if (isEmpty) return;
    const x = points.map((point) => point.p[point.p.length - 1]);
    const u = points.map((point) => point.u[point.u.length - 1]);
    const shade = compressions(points);
    this.chart(this.phases, x, [{ y: u, className: "normal-velocity", name: "u_n" }], shade, axisName("normal velocity", "u", "n", "m/s"));
    const stored = points.some((point) => point.stored) ? [{ y: points.map((point) => sum(point.stored)), className: "stored", name: "stored in the springs" }] : [];
    this.chart(this.energies, x, [{ y: points.map((p) => p.work_normal), className: "work-normal", name: "work along the normal" }, { y: points.map((p) => p.work_friction), className: "work-friction", name: "work of friction" }, ...stored], shade, axisName("work", "W", "", "J"));
  }

  private chart(svg: SVGSVGElement, x: number[], lines: { y: number[]; className: string; name: string }[], shade: { from: number; to: number }[], nameY: SVGElement): void {
    const box = svg.getBoundingClientRect();
    const all = [...lines.flatMap((line) => line.y), 0];
    const [low, high] = [Math.min(...all), Math.max(...all)];
    const margin = 0.08 * (high - low || 1);
    const plane = new Plane(box.width || 400, box.height || 220, { x: [Math.min(...x), Math.max(...x) || 1], y: [low - margin, high + margin] }, false);
    const bands = shade.map(({ from, to }) => {
      const [[left], [right]] = [plane.at([from, 0]), plane.at([to, 0])];
      return s("rect", { x: left, y: plane.inner.y, width: Math.max(right - left, 0), height: plane.inner.height, class: "shade" }, s("title", {}, "compression: the bodies still approach"));
    });
    const curves = lines.map((line) => {
      const curve = plane.line(x.map((a, i) => [a, line.y[i]]), `curve ${line.className}`);
      curve.append(s("title", {}, line.name));
      return curve;
    });
    const names = lines.length > 1 ? lines.map((line, i) => s("text", { x: plane.inner.x + 10, y: plane.inner.y + plane.inner.height - 10 - 16 * (lines.length - 1 - i), class: `curve-name ${line.className}` }, line.name)) : [s("text", { x: plane.inner.x + 10, y: plane.inner.y + 18, class: "curve-name" }, "compression shaded")];
    replace(svg, ...bands, plane.axes(axisName("normal impulse", "p", "n", "N s"), nameY), ...curves, ...names);
  }

  picture(): SVGSVGElement {
    return this.svg;
  }
}

function sum(values: number[] | undefined): number {
  return (values ?? []).reduce((a, b) => a + b, 0);
}

function head([x, y]: Pair, [dx, dy]: Pair): SVGElement {
  const corner = (a: number, b: number): string => `${(x + a * dx - b * dy).toFixed(2)},${(y + a * dy + b * dx).toFixed(2)}`;
  return s("polygon", { points: [corner(5, 0), corner(-4, 3.4), corner(-4, -3.4)].join(" ") });
}

function rayLine(plane: Plane, ray: Ray, reach: number): SVGElement {
  const far = 4 * reach;
  const name = `${ray.kind} ray at ${((ray.theta * 180) / Math.PI).toFixed(1)}°, ${ray.attracts ? "attracting" : "repelling"}`;
  const line = plane.line([[0, 0], [far * Math.cos(ray.theta), far * Math.sin(ray.theta)]], `ray ${ray.kind}${ray.attracts ? "" : " repels"}`);
  line.setAttribute("data-name", name);
  line.append(s("title", {}, name));
  return line;
}
