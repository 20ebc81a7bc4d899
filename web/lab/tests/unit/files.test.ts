import { expect, test } from "vitest";
import { readFile } from "../../src/files";
import { resultsOf } from "../../src/results";
import { PRESETS } from "../../src/presets";
import { engine } from "./library";

test("a case and a scene are told apart", () => {
  expect(readFile(engine, JSON.stringify(PRESETS[0].file))).toHaveProperty("case");
  for (const name of ["bouncing-ball", "rocking-block", "break"]) expect(readFile(engine, engine.scenes()[name])).toHaveProperty("scene");
});

test("a scene is refused in the words of the command line", () => {
  expect(() => readFile(engine, '{"law": "newton", "bodies": {"a": {"shape": {"sphere": {"radius": -1}}, "mass": 1}}, "until": {"time": 1}}')).toThrow(/radius: must be/);
  expect(() => readFile(engine, '{"law": "newton", "bodies": {}, "untill": 3}')).toThrow(/untill: unknown key/);
});

test("contact-force laws join the table on request, and the chosen one always", () => {
  const file = PRESETS[0].file;
  const laws = (withForces: boolean, law = "newton") => resultsOf(engine, { ...file, law }, withForces).answers.map((answer) => answer.law);
  expect(laws(false)).not.toContain("hertz");
  expect(laws(false, "hertz")).toContain("hertz");
  expect(laws(true).length).toBeGreaterThan(laws(false).length + 5);
  expect(resultsOf(engine, { ...PRESETS.find((p) => p.id === "sphere")!.file, law: "mindlin" }, true).answers.length).toBeGreaterThan(20);
});
