// One or two recordings on one clock.
import { Color, Mesh, MeshStandardMaterial, PlaneGeometry, Vector3 } from "three";
import { Stage, type Shown } from "replay/stage.js";
import { h, setText } from "../dom";
import type { RecordedEvent, Recording } from "./recorder";

const SHOWN_SECONDS = 0.35; // of the viewer's time: how long an impulse stays in sight

export class Screen {
  readonly element: HTMLElement;
  readonly stage: Stage;
  private canvas = h("canvas", { tabindex: 0, "aria-label": "the scene in three dimensions; drag to turn it" });
  private observer: ResizeObserver;
  private note = h("span", { class: "screen-note" });
  private ruler = h("span", { class: "ruler" });
  private last?: [number, RecordedEvent | undefined, Shown];

  constructor(readonly recording: Recording, label: string) {
    this.element = h("div", { class: "screen" }, this.canvas, this.note, this.ruler, label ? h("span", { class: "screen-label" }, label) : null);
    this.stage = new Stage(recording.run, this.canvas);
    this.stage.controls.addEventListener("change", () => this.redraw());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
    this.theme();
  }

  get canvasElement(): HTMLCanvasElement {
    return this.canvas;
  }

  // The scene with its time and its scale, as a picture of its own.
  get picture(): HTMLCanvasElement {
    this.redraw();
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [this.canvas.width, this.canvas.height];
    const pen = copy.getContext("2d")!;
    const zoom = this.canvas.width / (this.canvas.getBoundingClientRect().width || this.canvas.width);
    pen.drawImage(this.canvas, 0, 0);
    pen.fillStyle = getComputedStyle(document.body).color;
    pen.font = `${13 * zoom}px sans-serif`;
    pen.fillText(this.note.textContent ?? "", 12 * zoom, 22 * zoom);
    const { length, pixels } = this.scale();
    pen.fillRect(12 * zoom, copy.height - 14 * zoom, pixels * zoom, 2 * zoom);
    pen.fillText(lengthText(length), 12 * zoom, copy.height - 20 * zoom);
    return copy;
  }

  // A round length, and its pixels in the middle of the scene.
  private scale(): { length: number; pixels: number } {
    const { camera, controls } = this.stage;
    const wanted = 0.2 * this.stage.size;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const length = power * ([5, 2, 1].find((m) => m * power <= wanted) ?? 1);
    const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0).multiplyScalar(length);
    const [a, b] = [controls.target.clone().project(camera), controls.target.clone().add(right).project(camera)];
    return { length, pixels: Math.abs(b.x - a.x) * 0.5 * this.element.getBoundingClientRect().width };
  }

  theme(): void {
    const background = new Color(getComputedStyle(document.body).backgroundColor);
    this.stage.scene.background = background;
    const isDark = background.getHSL({ h: 0, s: 0, l: 0 }).l < 0.5;
    this.redraw();
    this.stage.scene.traverse((object) => {
      if (object instanceof Mesh && object.geometry instanceof PlaneGeometry) (object.material as MeshStandardMaterial).color.set(isDark ? "#33373d" : "#e4e1da");
      if (object.type === "GridHelper") Object.assign((object as Mesh).material, { transparent: true, opacity: isDark ? 0.14 : 1 });
    });
  }

  private resize(): void {
    const box = this.element.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) this.stage.resize(box.width, box.height);
    this.redraw();
  }

  draw(t: number, event: RecordedEvent | undefined, show: Shown): void {
    this.last = [t, event, show];
    this.stage.draw(t, event, show);
    const count = impactsUntil(this.recording.events, t);
    setText(this.note, `${t.toFixed(3)} s, ${count} ${count === 1 ? "impact" : "impacts"}`);
    const { length, pixels } = this.scale();
    setText(this.ruler, lengthText(length));
    this.ruler.style.width = `${pixels.toFixed(0)}px`;
  }

  // The same again, after the size, the camera or the colours have changed.
  redraw(): void {
    if (this.last) this.draw(...this.last);
  }

  free(): void {
    this.observer.disconnect();
    this.stage.controls.dispose();
    this.stage.renderer.dispose();
    this.stage.renderer.forceContextLoss();
  }
}

function lengthText(metres: number): string {
  return metres >= 1 ? `${metres} m` : metres >= 0.01 ? `${Number((100 * metres).toPrecision(3))} cm` : `${Number((1000 * metres).toPrecision(3))} mm`;
}

export function impactsUntil(events: RecordedEvent[], t: number): number {
  let count = 0;
  for (const event of events) if (event.t <= t && event.kind === "impact") count++;
  return count;
}

// The last impact before t, or undefined.
export function lastImpact(events: RecordedEvent[], t: number): RecordedEvent | undefined {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (events[middle].t <= t) low = middle + 1;
    else high = middle;
  }
  for (let i = low - 1; i >= 0 && i > low - 8; i--) if (events[i].kind === "impact") return events[i];
  return undefined;
}

export function shownImpact(events: RecordedEvent[], t: number, speed: number): RecordedEvent | undefined {
  const last = lastImpact(events, t);
  return last && t - last.t < SHOWN_SECONDS * speed ? last : undefined;
}

// The time of the next or the previous impact.
export function neighbour(events: RecordedEvent[], t: number, direction: 1 | -1): number | undefined {
  const impacts = events.filter((e) => e.kind === "impact");
  const found = direction > 0 ? impacts.find((e) => e.t > t + 1e-9) : impacts.findLast((e) => e.t < t - 1e-9);
  return found?.t;
}
