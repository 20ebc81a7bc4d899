import { expect, test } from "vitest";
import { centreOf } from "../../src/motion/centre";
import { checkScene, Recorder } from "../../src/motion/recorder";
import type { SceneFile } from "../../src/types";
import { engine, library } from "./library";

function recorded(name: string) {
  const scene = JSON.parse(engine.scenes()[name]) as SceneFile;
  const recorder = new Recorder(engine.simulation(scene), scene);
  while (!recorder.work(1000));
  return recorder.finish();
}

test.each(["bouncing-ball", "superball", "cradle", "galperin", "rocking-block", "pencil"])("%s ends as carom sim says", (name) => {
  const summary = library.simulate(engine.scenes()[name]).summary;
  const recording = recorded(name);
  expect(recording.events.filter((event) => event.kind === "impact").length).toBe(summary.impacts);
  expect(recording.energies.at(-1)).toBeCloseTo(summary.energy.after, 9);
  expect(recording.run.end).toBeCloseTo(summary.time, 6);
});

test("an impact of a run is a case that solves to its answer", () => {
  const event = recorded("superball").events.find((e) => e.case)!;
  expect(engine.solve(event.case!).p).toEqual(event.answer!.p);
});

test("ten thousand bodies are refused with the number", () => {
  const bodies = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`b${i}`, { shape: {} }]));
  expect(() => checkScene({ bodies })).toThrow("10,000 bodies; the page takes up to 600");
});

test("the centre of a compound lies where its masses say", () => {
  const box = (x: number, density: number) => ({ shape: { box: { size: [1, 1, 1] } }, position: [x, 0, 0], density });
  expect(centreOf({ compound: { parts: [box(0, 1), box(4, 3)] as never } })).toEqual([3, 0, 0]);
  expect(centreOf({ polygon: { points: [[0, 0], [3, 0], [3, 3], [0, 3]] as never } })).toEqual([1.5, 1.5, 0]);
});
