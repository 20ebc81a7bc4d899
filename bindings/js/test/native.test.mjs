// Every answer has the numbers of the native program, to the last bit: all vectors, the requests on the examples, every scene.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CaromError, load } from "../dist/index.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const program = process.env.CAROM ?? join(root, "build/carom");
const carom = await load();
const LARGEST = 1 << 29;

/** What the native program writes to standard output, whatever its exit status. */
function native(words, input = "", folder = root) {
  try {
    return execFileSync(program, words, { input, cwd: folder, maxBuffer: LARGEST, stdio: ["pipe", "pipe", "pipe"] }).toString();
  } catch (error) {
    return error.stdout.toString();
  }
}

/** The same, and standard error. */
function nativeBoth(words, input) {
  const done = spawnSync(program, words, { input, cwd: root, maxBuffer: LARGEST });
  return [done.stdout.toString(), done.stderr.toString()];
}

function filesOf(folder, ending) {
  return readdirSync(join(root, folder)).filter((name) => name.endsWith(ending)).sort().map((name) => join(root, folder, name));
}

/** The first line that differs, as a message. */
function assertSame(got, want, what) {
  if (got === want) return;
  const lines = want.split("\n");
  const at = got.split("\n").findIndex((line, i) => line !== lines[i]);
  assert.fail(`${what}: line ${at + 1}\n  wasm   ${got.split("\n")[at]?.slice(0, 400)}\n  native ${lines[at]?.slice(0, 400)}`);
}

/** The same value, number by number. */
function assertEqual(got, want, what) {
  assertSame(JSON.stringify(got, null, 1), JSON.stringify(want, null, 1), what);
}

/** What a request answers, or what it refuses. */
function answerTo(name, document, options = {}) {
  try {
    return carom.request(name, document, options);
  } catch (error) {
    assert.ok(error instanceof CaromError, String(error));
    return { refused: error };
  }
}

/** The program says the same of the same input: its JSON, or its line on standard error. */
function compareRequest(name, document, options, words, what) {
  const answer = answerTo(name, document, options);
  const [output, errors] = nativeBoth(words, document ?? "");
  if (answer.refused) assert.ok(errors.trimEnd().endsWith(answer.refused.rule), `${what}\n  wasm   ${answer.refused.message}\n  native ${errors}`);
  else assertEqual(answer, JSON.parse(output), what);
}

for (const file of filesOf("tests/vectors", ".jsonl").filter((name) => !name.endsWith("saltation.jsonl")))
  test(`vectors ${file.slice(root.length)}`, () => {
    const input = readFileSync(file, "utf8");
    const want = native(["solve", "--json", "-"], input).trimEnd().split("\n");
    for (const [i, line] of input.trimEnd().split("\n").filter((line) => line.trim() !== "").entries()) {
      const got = answerTo("solve", line), wanted = JSON.parse(want[i]);
      if (got.refused) assert.ok(wanted.message.endsWith(got.refused.message), `${file} ${i + 1}: ${got.refused.message}, ${wanted.message}`);
      else assertEqual(got, wanted, `${file} ${i + 1}`);
    }
  });

for (const file of filesOf("examples/cases", ".json"))
  test(`requests on ${file.slice(root.length)}`, () => {
    const input = readFileSync(file, "utf8");
    for (const [name, options, ...words] of [
      ["solve", { all: true }, "solve", "--all"], ["compare", {}, "compare"], ["geometry", {}, "geometry"],
      ["trace", {}, "trace"], ["trace", { points: 37, law: "routh-stronge" }, "trace", "--points", "37", "--law", "routh-stronge"],
      ["solve", { law: "jia", set: { e: 0.25, mu: 0.3 } }, "solve", "--law", "jia", "--set", "e=0.25", "--set", "mu=0.3"],
      ["compare", { orders: true }, "compare", "--orders"],
    ])
      compareRequest(name, input, options, [...words, "--json", "-"], `${words.join(" ")} ${file}`);
    compareRequest("realize", input, {}, ["realize", "-"], `realize ${file}`);
  });

test("tables", () => {
  compareRequest("laws", undefined, {}, ["laws", "--json"], "laws");
  compareRequest("words", undefined, {}, ["explain", "--json"], "words");
  compareRequest("convert", undefined, { kind: "hertz", values: { E: 2.1e11, nu: 0.3, R: 0.01, mass: 0.03, v: 1.7 } },
    ["convert", "hertz", "E=2.1e11", "nu=0.3", "R=0.01", "mass=0.03", "v=1.7", "--json"], "convert");
  for (const file of filesOf("examples/cases", ".json"))
    assertSame(carom.examples()[file.split("/").at(-1).replace(".json", "")], readFileSync(file, "utf8"), file);
});

test("the scenes, but for the one with a thousand bodies, which the package leaves out", () => {
  const names = filesOf("scenes", ".json").map((file) => file.split("/").at(-1).replace(".json", ""));
  assert.deepEqual(Object.keys(carom.scenes()).sort(), names.filter((name) => name !== "thousand").sort());
});

// Long runs: their beginning.
const cut = { coin: { time: 0.5 }, dominoes: { time: 0.5 }, gas: { impacts: 500 }, rattleback: { time: 0.5 }, "rimless-wheel": { time: 1 } };

for (const file of filesOf("scenes", ".json").filter((file) => !file.endsWith("/thousand.json"))) {
  const name = file.split("/").at(-1).replace(".json", "");
  test(`scene ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "carom-js-"));
    const limits = Object.entries(cut[name] ?? {}).flatMap(([key, value]) => [`--${key}`, String(value)]);
    const want = native(["sim", "--json", ...limits, "--output", "t.jsonl", "--events", "e.jsonl", name], "", folder);
    const got = carom.simulate(readFileSync(file, "utf8"), { ...cut[name], trajectory: true, events: true });
    const lines = (text) => readFileSync(join(folder, text), "utf8").trimEnd().split("\n").filter(Boolean).map((line) => JSON.parse(line));
    assertEqual(got.trajectory, lines("t.jsonl"), `${name} trajectory`);
    assertEqual(got.events, lines("e.jsonl"), `${name} events`);
    assertEqual(got.summary, JSON.parse(want), name);
    rmSync(folder, { recursive: true });
  });
}

test("broken cases get the same words, keys and lines", () => {
  const good = readFileSync(join(root, "examples/cases/ball.json"), "utf8");
  let seed = 1;
  const random = (n) => ((seed = (seed * 48271) % 2147483647) % n);
  const lines = [];
  for (let i = 0; i < 2000; i++) {
    const at = random(good.length);
    const put = ['"', "{", "}", "[", "]", ",", ":", "\\u12", "\\ud800", "é", "0", "-", ".", "e", "NaN", "//", "1e999", "\\q", "\t", ""][random(20)];
    lines.push((good.slice(0, at) + put + good.slice(at + random(4))).replaceAll("\n", " "));
  }
  const want = native(["solve", "--json", "-"], lines.join("\n")).trimEnd().split("\n");
  let refused = 0;
  for (const [i, line] of lines.filter((line) => line.trim() !== "").entries()) {
    const got = answerTo("solve", line), wanted = JSON.parse(want[i]);
    refused += got.refused ? 1 : 0;
    if (!got.refused) assertEqual(got, wanted, line);
    else assert.ok(wanted.message.endsWith(got.refused.message), `${line}\n  wasm   ${got.refused.message}\n  native ${wanted.message}`);
  }
  assert.ok(refused > 1000);
});
