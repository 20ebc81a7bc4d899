// The package by itself: every call, and what it says of bad input.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CaromError, load } from "../dist/index.js";

const carom = await load();
const ball = JSON.parse(carom.examples().ball);

/** The error that a call throws. */
function thrown(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof CaromError, String(error));
    return error;
  }
  assert.fail("nothing was thrown");
}

test("solve: a sphere that sticks", () => {
  // p_n = (1 + e) m v; it sticks: p_t = 2/7 m slip (docs/theory).
  const answer = carom.solve(ball);
  assert.deepEqual(answer.p, [(3 * 2) / 7, 0, 7.5]);
  assert.equal(answer.status, "ok");
});

test("solve: law and coefficients can be given beside the case", () => {
  assert.deepEqual(carom.solve(ball, { law: "newton", set: { e: 0.25 } }).p, [0, 0, 6.25]);
});

test("errors carry the key, the rule and the line", () => {
  const error = thrown(() => carom.solve('{"law": "newton", "reduced": {"K": [[1, 0], [0, 1]], "u": [0, -1]},\n "coefficients": {"e": 2}}'));
  assert.equal(error.key, "coefficients.e");
  assert.equal(error.line, 2);
  const syntax = thrown(() => carom.solve('{"law": "newton",\n "coefficients": {"e": .5}}'));
  assert.deepEqual([syntax.key, syntax.line, syntax.column], ["coefficients.e", 2, 24]);
  assert.match(syntax.rule, /^not JSON: /);
  assert.equal(thrown(() => carom.solve("")).key, "");
});

test("NaN and infinity are refused with a sentence", () => {
  for (const bad of [NaN, Infinity])
    assert.equal(thrown(() => carom.solve({ ...ball, coefficients: { e: bad } })).message, "coefficients.e: must be a number (is null)");
});

test("options are refused by key, with a hint", () => {
  assert.equal(thrown(() => carom.solve(ball, { set: { mu: -1 } })).key, "set.mu");
  assert.equal(thrown(() => carom.solve(ball, { laws: "jia" })).message, "laws: solve has no such option");
  assert.match(thrown(() => carom.solve(ball, { law: "newtn" })).message, /did you mean "newton"/);
  assert.match(thrown(() => carom.request("sovle", ball)).message, /no request/);
});

test("warnings are told", () => {
  const told = [];
  carom.onwarning = (warning) => told.push(warning.kind);
  carom.solve(ball, { law: "newton", set: { eta: 0.9 } });
  carom.onwarning = () => {};
  assert.deepEqual(told, ["unused-coefficient"]);
  assert.throws(() => carom.solve(ball, { law: "newton", set: { eta: 0.9 }, strict: true }), CaromError);
});

test("fit, invert, gradient and propagate are requests too", () => {
  const rows = [0.2, 0.7, 1.1].map((v) => JSON.stringify({ reduced: { K: [[1, 0], [0, 1]], u: [0, -v] }, measured: { u_after: [0, 0.6 * v], sigma: [0.01, 0.01] } }));
  const fit = carom.request("fit", rows.join("\n"), { law: "newton", free: ["e"] });
  assert.ok(JSON.stringify(fit).includes('"e"'));
});

test("sweeps: p_n = (1 + e) v / K_nn at every point", () => {
  const flat = { law: "newton", reduced: { K: [[1, 0], [0, 2]], u: [0, -3] } };
  const { columns, rows } = carom.sweep(flat, { e: [0, 0.5, 1] });
  assert.deepEqual(rows.map((row) => row[columns.indexOf("p_n")]), [1.5, 2.25, 3]);
  const runs = carom.ensemble("bouncing-ball", { e: [0.5, 0.8] }, { time: 1, record: ["impacts"] });
  assert.deepEqual(runs.rows.map((row) => row[runs.columns.indexOf("impacts")]), [2, 1]);
  assert.equal(thrown(() => carom.sweep(flat, { q: [1] })).key, "vary");
});

test("an error leaves the library usable", () => {
  thrown(() => carom.solve(ball, { law: "nobody" }));
  assert.equal(carom.solve(ball).p[2], 7.5);
  assert.ok(carom.simulate("bouncing-ball", { events: true }).events.length > 0);
  assert.throws(() => carom.simulate("bouncing-bal"), { name: "CaromError", rule: 'no scene is called "bouncing-bal"; scenes() lists them' });
  assert.throws(() => carom.simulation("bouncing-bal"), { name: "CaromError" });
});

test("compare, trace, region, realize, convert, explain", () => {
  const rod = carom.examples().rod;
  assert.ok(carom.compare(rod).answers.some((a) => a.law === "routh-stronge" && a.status === "ok"));
  assert.ok(carom.trace(rod, { law: "routh-stronge", points: 50 }).points.length >= 50);
  assert.equal(carom.region(rod).region.bounded, true);
  assert.deepEqual(carom.solve(carom.realize(carom.examples().reduced)).p.length, 3);
  assert.equal(carom.convert("stiffness", { nu: 0.3 }).kappa, 14 / 17);
  assert.match(carom.explain("creates-energy")[0].meaning, /kinetic energy rises/);
  assert.deepEqual(thrown(() => carom.convert("hertz", { mass: -1 })).key, "mass");
});

test("every law of the manifest has ranges for its coefficients", () => {
  for (const law of carom.laws())
    for (const c of law.coefficients) assert.ok(c.unit && c.meaning && c.min !== undefined && c.max !== undefined, `${law.id} ${c.name}`);
});

test("a batch has the bits of its cases, in space and in the plane", () => {
  for (const [example, dim] of [["rod", 3], ["rod-planar", 2]]) {
    const one = carom.solve(carom.examples()[example], { law: "routh-stronge", set: { e: 0.7, mu: 0.35 } });
    const rows = 5;
    const K = Float64Array.from(Array(rows).fill(one.K.flat()).flat());
    const u = Float64Array.from(Array(rows).fill(one.u).flat());
    const mu = new Float64Array(rows).fill(0.35);
    const all = carom.solveBatch({ law: "routh-stronge", dim, K, u, coefficients: { e: 0.7, mu } });
    for (let i = 0; i < rows; i++) {
      assert.deepEqual(Array.from(all.p.subarray(i * dim, (i + 1) * dim)), one.p);
      assert.deepEqual(Array.from(all.uAfter.subarray(i * dim, (i + 1) * dim)), one.u_after);
      assert.equal(all.ledger.change[i], one.energy.change);
      assert.equal(carom.manifest.statuses[all.status[i]].id, "ok");
    }
  }
});

test("a batch refuses what does not fit, and marks rows that are no impacts", () => {
  const K = Float64Array.of(1, 0, 0, 1);
  assert.match(thrown(() => carom.solveBatch({ law: "newton", dim: 2, K, u: Float64Array.of(1) })).message, /^u: /);
  assert.match(thrown(() => carom.solveBatch({ law: "nobody", dim: 2, K, u: Float64Array.of(0, -1) })).message, /unknown law/);
  const bad = carom.solveBatch({ law: "newton", dim: 2, K, u: Float64Array.of(NaN, -1) });
  assert.equal(carom.manifest.statuses[bad.status[0]].id, "not-finite");
});

test("a simulation steps, goes back and repeats itself", () => {
  const sim = carom.simulation("bouncing-ball", { lines: true });
  const first = sim.advance({ events: 1 });
  assert.equal(first.stop, "events");
  assert.equal(first.contacts[0].kind, "impact");
  assert.equal(first.events[0].answer.status, "ok");
  const here = sim.save();
  const later = sim.advance({ events: 4 });
  const states = sim.states();
  sim.restore(here);
  assert.deepEqual(sim.advance({ events: 4 }), later);
  assert.deepEqual(sim.states(), states);
  assert.ok(Math.abs(sim.energy.residual) < 1e-12);
  sim.free();
  assert.match(thrown(() => sim.states()).message, /freed/);
});

test("a scene that is broken says where", () => {
  const error = thrown(() => carom.simulation('{"bodies": {"ball": {"shape": {"sphere": -1}}}}'));
  assert.match(error.key, /^bodies/);
  assert.throws(() => carom.simulate({ bodies: {} }), CaromError);
});

test("e as a function of the speed: in cases and as a setting, and refused by its key", () => {
  const reduced = { K: [[1, 0], [0, 1]], u: [0, -2] };
  const e = { power: { value: 0.8, q: 0.12, from: 0.05 } };
  const expected = 0.8 * 2 ** -0.12 * 2;
  const after = carom.solve({ law: "newton", coefficients: { e }, reduced }).u_after[1];
  assert.ok(Math.abs(after - expected) < 1e-15);
  const table = carom.sweep({ law: "newton", reduced }, { "reduced.u.1": [-2, -1] }, { set: { e } });
  const column = table.columns.indexOf("u_n_after");
  assert.deepEqual(table.rows.map((row) => row[column]), [after, 0.8]);
  const first = carom.simulate("bouncing-ball", { set: { e }, impacts: 1, events: true }).events[0];
  const speed = -first.case.bodies.a.velocity[2];
  assert.ok(Math.abs(first.answer.restitution.newton - 0.8 * speed ** -0.12) < 1e-14);
  assert.throws(() => carom.solve({ law: "newton", coefficients: { e: { power: { value: 0.8 } } }, reduced }), { key: "coefficients.e.power.q", rule: "missing key" });
});
