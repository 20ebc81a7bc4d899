// The pictures of impulse space and slip plane against `carom geometry`, which has another method for each.
import { expect, test } from "vitest";
import { GALLERY } from "../../src/gallery";
import { aim, knobsOf, withKnobs } from "../../src/impulse/aim";
import { energyCurve, inverse, problemOf, region } from "../../src/impulse/space";
import { lawOf } from "../../src/manifest";
import { PRESETS } from "../../src/presets";
import { rays, slipProblem } from "../../src/slip/flow";
import { compressions } from "../../src/slip/phases";
import type { CaseFile } from "../../src/types";
import { engine, library } from "./library";

const rod = PRESETS.find((preset) => preset.id === "rod")!.file;
const planeOf = (file: CaseFile) => problemOf(engine.solve(file), file)!;

test("the region has the corners of carom geometry", () => {
  const outline = region(planeOf(rod));
  const edges = library.region(rod as never).region!.edges;
  for (const edge of edges) {
    const nearest = Math.min(...outline.map((p) => Math.hypot(p[0] - edge.from[0], p[1] - edge.from[1])));
    expect(nearest).toBeLessThan(1e-9);
  }
});

test("no energy is gained or lost along its curve", () => {
  const k = planeOf(rod);
  for (const [t, n] of energyCurve(k)) expect(t * k.u[0] + n * k.u[1] + 0.5 * (k.tt * t * t + 2 * k.tn * t * n + k.nn * n * n)).toBeCloseTo(0, 9);
});

test("a pendulum's strip has no end", () => {
  const file = GALLERY.find((exhibit) => exhibit.id === "pendulum")!.case!;
  expect(Math.max(...region(planeOf(file)).map((p) => Math.hypot(...p)))).toBeGreaterThan(1e3);
});

test("a mass matrix is inverted", () => {
  const m = [[2.5, 0.3, -0.7], [0.3, 1.9, 0.2], [-0.7, 0.2, 3.1]];
  const product = m.map((row) => inverse(m)[0].map((_, c) => row.reduce((sum, x, i) => sum + x * inverse(m)[i][c], 0)));
  product.forEach((row, r) => row.forEach((x, c) => expect(x).toBeCloseTo(r === c ? 1 : 0, 12)));
});

test.each(["routh-stronge", "chatterjee-momentum", "chatterjee-velocity", "jia"])("%s: dragging its own answer finds its coefficients", (law) => {
  const knobs = knobsOf(lawOf(law));
  const file = { ...rod, law };
  const values = [0.62, 0.23];
  const plane = planeOf(file);
  const solve = (f: CaseFile) => plane.toPlane(engine.solve(f).p!);
  const wanted = solve(withKnobs(file, knobs, values));
  const found = aim(file, knobs, wanted, solve, true);
  expect(found.distance).toBeLessThan(1e-6 * Math.hypot(...wanted));
  expect(Math.hypot(...solve(withKnobs(file, knobs, found.values)).map((x, i) => x - wanted[i]))).toBeLessThan(1e-5);
});

test("the rays are those of carom geometry", () => {
  const file = GALLERY.find((exhibit) => exhibit.id === "baber-4")!.case!;
  const expected = (library.region(file as never) as unknown as { slip_plane: { rays: { angle_degrees: number; kind: string; stability: string }[] } }).slip_plane.rays;
  const found = rays(slipProblem(file.reduced!.K!, file.coefficients!.mu)).sort((a, b) => a.theta - b.theta);
  expect(found.length).toBe(expected.length);
  expected.forEach((ray, i) => {
    expect((found[i].theta * 180) / Math.PI).toBeCloseTo(ray.angle_degrees, 8);
    expect(found[i].kind).toBe(ray.kind);
    expect(found[i].attracts).toBe(ray.stability === "attracting");
  });
});

test("Baber's example has two compressions, the rod one", () => {
  const baber = GALLERY.find((exhibit) => exhibit.id === "two-compressions")!.case!;
  expect(compressions(engine.trace(baber, 400).points).length).toBe(2);
  expect(compressions(engine.trace(rod, 100).points).length).toBe(1);
});
