// The energy of a run against time, with a line at the shown moment.
import uPlot from "uplot";
import uplotCss from "uplot/dist/uPlot.min.css?inline";
import { h } from "../dom";
import type { Recording } from "./recorder";

const MOST_POINTS = 4000;

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name) || "#888";
}

// The colour that a variable has now: uPlot draws on a canvas, which knows no variables.
function ink(name: string): string {
  const probe = h("span", { style: `color: var(${name}, ${colour(name)})` });
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

export class EnergyPlot {
  readonly element = h("div", { class: "energy-plot", role: "img", "aria-label": "energy against time" });
  private plot?: uPlot;
  private recordings: Recording[] = [];
  private time = 0;

  constructor(private seek: (t: number) => void) {
    document.head.append(h("style", {}, uplotCss));
    new ResizeObserver(() => this.plot?.setSize({ width: this.element.clientWidth, height: 190 })).observe(this.element);
    window.addEventListener("themechange", () => this.show(this.recordings));
  }

  show(recordings: Recording[]): void {
    this.recordings = recordings;
    this.plot?.destroy();
    const first = recordings[0];
    if (!first) return;
    const stride = Math.ceil(first.times.length / MOST_POINTS);
    const times = first.times.filter((_, i) => i % stride === 0);
    const series = recordings.map((_, i) => ({ label: `run ${i + 1}`, stroke: ink(i ? "--after" : "--before"), width: 1.6, points: { show: false }, scale: "y", dash: i ? [6, 3] : undefined }));
    const data = recordings.map((recording) => sampled(recording, times));
    const axis = { stroke: ink("--dim"), grid: { stroke: ink("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" };
    this.plot = new uPlot({
      width: this.element.clientWidth || 400, height: 190, legend: { show: false }, cursor: { y: false },
      scales: { x: { time: false }, y: { range: (_u, low, high) => range(low, high) } },
      axes: [{ ...axis, size: 26, gap: 4, label: "time (s)", labelSize: 18, labelFont: "12px system-ui" }, { ...axis, size: 48, label: "energy (J)", labelSize: 18, labelFont: "12px system-ui" }],
      series: [{}, ...series], hooks: { draw: [(plot) => this.mark(plot)] },
    }, [times, ...data] as uPlot.AlignedData, this.element);
    this.plot.over.addEventListener("click", (event) => this.seek(this.plot!.posToVal(event.offsetX, "x")));
  }

  at(time: number): void {
    this.time = time;
    this.plot?.redraw(false, false);
  }

  private mark(plot: uPlot): void {
    const x = plot.valToPos(this.time, "x", true);
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = ink("--ink");
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}

// The energy at given times: the last recorded value.
function sampled(recording: Recording, times: number[]): number[] {
  let i = 0;
  return times.map((t) => {
    while (i + 1 < recording.times.length && recording.times[i + 1] <= t) i++;
    return recording.energies[i];
  });
}

// Zero is in sight unless the energy hardly changes.
function range(low: number, high: number): [number, number] {
  const span = high - low;
  if (!(span > 1e-9 * Math.abs(high))) return [low - 0.1 * (Math.abs(low) || 1), high + 0.1 * (Math.abs(high) || 1)];
  return [low >= 0 && low < 2 * span ? 0 : low - 0.1 * span, high + 0.08 * span];
}
