// Sliders beside a run: restitution and friction of the scene, and where and how steeply a cue hits.
import { button, h, setText } from "../dom";
import { lawOf } from "../manifest";
import { short } from "../format";
import type { State } from "../state";
import type { SceneFile } from "../types";

type Motion = State["motion"];

interface Knob {
  key: "e" | "mu" | "elevation" | "side" | "height";
  label: string;
  min: number;
  max: number;
  cue: boolean; // belongs to the stroke
  text(value: number): string;
}

const KNOBS: Knob[] = [
  { key: "e", label: "restitution e", min: 0, max: 1, cue: false, text: (x) => short(x, 3) },
  { key: "mu", label: "friction μ", min: 0, max: 1, cue: false, text: (x) => short(x, 3) },
  { key: "elevation", label: "elevation of the cue", min: 0, max: 85, cue: true, text: (x) => `${Math.round(x)}°` },
  { key: "side", label: "tip to the left", min: -0.6, max: 0.6, cue: true, text: (x) => `${short(x, 2)} R` },
  { key: "height", label: "tip above the centre", min: -0.6, max: 0.6, cue: true, text: (x) => `${short(x, 2)} R` },
];

// Leather on ivory, ivory on cloth and slate; stiffnesses as their contact times say (docs/guide/stroke.md).
const TIP = { e: 0.75, mu: 0.6, eta: 1.1, stiffness: 1 };
const TABLE = { e: 0.5, mu: 0.2, eta: 1.1, stiffness: 60 };

// A ball that is played by dragging; a cue with a centre of mass of its own is the stick itself.
export function hasCueBall(scene: SceneFile): boolean {
  const cue = scene.bodies.cue;
  return Boolean(cue?.shape && "sphere" in cue.shape && !("com" in cue));
}

// The scene with the numbers of the sliders and the stroke of the cue.
export function withKnobs(scene: SceneFile, motion: Motion): SceneFile {
  const coefficients = { ...scene.coefficients };
  for (const key of ["e", "mu"] as const) if (motion[key] !== null) coefficients[key] = motion[key];
  const file: SceneFile = { ...scene, coefficients };
  const { stroke } = motion;
  if (!stroke || !hasCueBall(scene)) return file;
  file.bodies = { ...scene.bodies, cue: { ...scene.bodies.cue, velocity: [0, 0, 0], omega: [0, 0, 0] } };
  file.stroke = {
    ball: "cue", speed: Math.hypot(...stroke), direction: Math.atan2(stroke[1], stroke[0]),
    elevation: (motion.elevation * Math.PI) / 180, side: motion.side, height: motion.height, tip: TIP, table: TABLE,
  };
  return file;
}

export class KnobPanel {
  readonly element = h("section", { class: "knobs", "aria-label": "coefficients of the run" });
  private rows: { knob: Knob; input: HTMLInputElement; output: HTMLOutputElement; label: HTMLLabelElement }[];

  constructor(change: (part: Partial<Motion>) => void) {
    this.rows = KNOBS.map((knob) => {
      const id = `knob-${knob.key}`;
      const input = h("input", { type: "range", id, min: knob.min, max: knob.max, step: knob.key === "elevation" ? 1 : 0.01 });
      const row = { knob, input, output: h("output", { for: id }), label: h("label", { for: id }, knob.label) };
      input.addEventListener("input", () => setText(row.output, knob.text(Number(input.value))));
      input.addEventListener("change", () => change({ [knob.key]: Number(input.value) }));
      this.element.append(row.label, input, row.output);
      return row;
    });
    this.element.append(button("as in the scene", "take back what the sliders changed", () => change({ e: null, mu: null, elevation: 0, side: 0, height: 0 })));
  }

  update(motion: Motion, scene: SceneFile): void {
    for (const { knob, input, output, label } of this.rows) {
      const value = motion[knob.key] ?? scene.coefficients?.[knob.key] ?? (knob.key === "mu" ? 0.3 : 0.5);
      const isUsed = knob.cue ? hasCueBall(scene) : (lawOf(motion.law || scene.law)?.coefficients.some((c) => c.name === knob.key) ?? true);
      input.value = String(value);
      setText(output, knob.text(value));
      for (const element of [label, input, output]) element.hidden = !isUsed;
    }
  }
}
