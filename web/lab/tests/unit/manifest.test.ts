import { expect, test } from "vitest";
import { explain, explainMode, scaleOf, singleLaws } from "../../src/manifest";
import "./library";

test("every coefficient of every law has a slider whose ends are ordered and hold the default", () => {
  expect(singleLaws().length).toBeGreaterThan(20);
  for (const law of singleLaws())
    for (const coefficient of law.coefficients) {
      const scale = scaleOf(coefficient, law);
      expect(scale.min, `${law.id} ${coefficient.name}`).toBeLessThan(scale.max);
      if (typeof coefficient.default !== "number") continue;
      expect(coefficient.default, `${law.id} ${coefficient.name}`).toBeGreaterThanOrEqual(scale.min);
      expect(coefficient.default, `${law.id} ${coefficient.name}`).toBeLessThanOrEqual(scale.max);
    }
});

test("a range of one law alone counts for that law", () => {
  const ivanov = singleLaws().find((law) => law.id === "ivanov")!;
  const newton = singleLaws().find((law) => law.id === "newton")!;
  expect(scaleOf(ivanov.coefficients[0], ivanov).min).toBe(-1);
  expect(scaleOf(newton.coefficients[0], newton).min).toBe(0);
});

test("every mode of every law is explained", () => {
  for (const law of singleLaws()) for (const mode of law.modes) expect(explainMode(mode).length + Number(explain(mode, "status") !== undefined), `${law.id} ${mode}`).toBeGreaterThan(0);
});

test("modes of several words are taken apart", () => {
  expect(explainMode("I:rt-b|II:interior|III:scaled-cone").map((entry) => entry.word)).toEqual(["I:rt-b", "II:interior", "III:scaled-cone"]);
  expect(explainMode("slip-stick")[0].meaning).toBe("The contact spot first slips, then sticks.");
});
