import { expect, test } from "vitest";
import { textOf } from "../../src/case";
import { GALLERY } from "../../src/gallery";
import { sharesOf } from "../../src/impact/ledger";
import { PRESETS } from "../../src/presets";
import { resultsOf } from "../../src/results";
import { stateOf } from "../../src/views/gallery";
import { engine } from "./library";

const caseOf = (id: string) => GALLERY.find((exhibit) => exhibit.id === id)!.case!;

test.each(PRESETS.map((preset) => [preset.id, preset.file] as const))("preset %s is solved by its law", (_id, file) => {
  const results = resultsOf(engine, file);
  expect(results.refusal).toBeUndefined();
  expect(results.chosen?.status).toBe("ok");
  expect(engine.check(textOf(file))).toEqual(file);
});

test.each(GALLERY.map((exhibit) => [exhibit.id, exhibit] as const))("exhibit %s opens", (_id, exhibit) => {
  const state = stateOf(exhibit);
  if (state.scene) expect(engine.scenes()).toHaveProperty(state.scene);
  else expect(resultsOf(engine, state.case!).chosen?.status).toBe("ok");
});

test("the stories are true", () => {
  const gain = resultsOf(engine, caseOf("creates-energy")).chosen!;
  expect(gain.flags).toContain("creates-energy");
  expect(sharesOf(gain).gain).toBeGreaterThan(0.1);
  expect(resultsOf(engine, caseOf("three-solutions")).chosen!.flags).toContain("not-unique");
  expect(resultsOf(engine, caseOf("three-solutions")).chosen!.solutions).toBe(3);
  const turn = caseOf("quarter-turn");
  const [before, after] = [turn.reduced!.u!, engine.solve(turn).u_after!];
  const angle = Math.atan2(before[0] * after[1] - before[1] * after[0], before[0] * after[0] + before[1] * after[1]);
  expect(Math.abs((angle * 180) / Math.PI)).toBeCloseTo(90, 1);
  const agree = ["routh-poisson", "whittaker", "smith"].map((law) => engine.solve({ ...caseOf("lambda-4"), law }).p!);
  for (const p of agree) p.forEach((x, i) => expect(x).toBeCloseTo(agree[0][i], 12));
  expect(engine.solve({ ...caseOf("lambda-20"), law: "whittaker" }).flags).toContain("creates-energy");
  const exact = engine.solve({ ...caseOf("engine"), law: "routh-stronge" }).u_after!;
  const engines = engine.solve(caseOf("engine")).u_after!;
  expect(Math.hypot(exact[0] - engines[0], exact[1] - engines[1])).toBeGreaterThan(0.5);
});

test("the parts of the ledger make up the whole", () => {
  for (const answer of resultsOf(engine, PRESETS[0].file).answers.filter((a) => a.energy)) {
    const shares = sharesOf(answer);
    expect(shares.after + shares.friction + shares.normal).toBeCloseTo(1, 12);
  }
});

test("a broken case has the message of the command line, and its key", () => {
  const results = resultsOf(engine, { law: "jia", bodies: { a: { mass: -1, inertia: 1 }, b: { fixed: true } }, contact: { normal: [0, 1], arm_a: [0, -1] } });
  expect(results.refusal?.message).toBe("bodies.a.mass: must be > 0 (is -1)");
  expect(results.refusal?.path).toBe("bodies.a.mass");
  expect(() => engine.check("{")).toThrow("the text ends in the middle of the JSON");
  expect(() => engine.check('{"law": "newton", "reduced": {"K": [[1, 0], [0, 1]], "u": [NaN, -1]}}')).toThrow();
});
