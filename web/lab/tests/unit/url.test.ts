import { expect, test } from "vitest";
import { START } from "../../src/state";
import { fromHash, toHash, VERSION } from "../../src/url";

test("a link brings the state back", () => {
  const state = { ...START, tab: "slip" as const, case: { name: "β ≠ ∞", law: "smith", reduced: { K: [[2.385, 0.1], [0.1, 1.7]], u: [0.3, -1] } }, motion: { law: "", second: "jia", stroke: [1.5, -2] as [number, number], e: 0.75, mu: null, elevation: 30, side: 0.4, height: -0.2 } };
  expect(fromHash(toHash(state))).toEqual({ state, message: "" });
});

test("no link is the first example", () => expect(fromHash("")).toEqual({ state: START, message: "" }));

test("a newer link is refused with a sentence", () => {
  const opened = fromHash(`#v=${VERSION + 1}&s=e30`);
  expect(opened.state).toEqual(START);
  expect(opened.message).toContain("newer lab (version 2");
});

test("an older link had the case alone", () => {
  const file = { law: "newton", reduced: { K: [[1, 0], [0, 1]], u: [0, -1] } };
  const hash = `#v=0&s=${btoa(JSON.stringify(file)).replace(/=+$/, "")}`;
  expect(fromHash(hash)).toEqual({ state: { ...START, case: file }, message: "" });
});

test.each(["#v=1&s=%%%", "#v=1&s=bm90IGpzb24", "#nonsense", "#v=x&s=e30", "#v=1", "#v=-3&s=e30"])("%s is refused", (hash) => {
  const opened = fromHash(hash);
  expect(opened.state).toEqual(START);
  expect(opened.message).not.toBe("");
});

test("parts of a wrong kind are as at the start", () => {
  const hash = `#v=1&s=${btoa(JSON.stringify({ tab: "nowhere", case: [1], scene: 3, digits: 7, motion: { stroke: ["x", 2] } }))}`;
  expect(fromHash(hash)).toEqual({ state: START, message: "" });
});
