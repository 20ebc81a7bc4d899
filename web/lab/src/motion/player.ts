// One or two recordings on one clock.
import { Color, Mesh, MeshStandardMaterial, PlaneGeometry } from "three";
import { Stage, type Shown } from "replay/stage.js";
import { h } from "../dom";
import type { RecordedEvent, Recording } from "./recorder";

const SHOWN_SECONDS = 0.35; // of the viewer's time: how long an impulse stays in sight

export class Screen {
  readonly element: HTMLElement;
  readonly stage: Stage;
  private canvas = h("canvas", { tabindex: 0, "aria-label": "the scene in three dimensions; drag to turn it" });
  private observer: ResizeObserver;

  constructor(readonly recording: Recording, label: string) {
    this.element = h("div", { class: "screen" }, this.canvas, label ? h("span", { class: "screen-label" }, label) : null);
    this.stage = new Stage(recording.run, this.canvas);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
    this.theme();
  }

  get picture(): HTMLCanvasElement {
    return this.canvas;
  }

  theme(): void {
    const background = new Color(getComputedStyle(document.body).backgroundColor);
    this.stage.scene.background = background;
    const isDark = background.getHSL({ h: 0, s: 0, l: 0 }).l < 0.5;
    this.stage.scene.traverse((object) => {
      if (object instanceof Mesh && object.geometry instanceof PlaneGeometry) (object.material as MeshStandardMaterial).color.set(isDark ? "#33373d" : "#e4e1da");
      if (object.type === "GridHelper") Object.assign((object as Mesh).material, { transparent: true, opacity: isDark ? 0.14 : 1 });
    });
  }

  private resize(): void {
    const box = this.element.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) this.stage.resize(box.width, box.height);
  }

  draw(t: number, event: RecordedEvent | undefined, show: Shown): void {
    this.stage.draw(t, event, show);
  }

  free(): void {
    this.observer.disconnect();
    this.stage.controls.dispose();
    this.stage.renderer.dispose();
    this.stage.renderer.forceContextLoss();
  }
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
