// Every answer has the bytes of the native program: all vectors, every command on the examples, every scene.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "../dist/index.js";

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

function compareCommand(words, input, what) {
  assertSame(carom.run(words, input).output, native(words, input), what);
}

// The WebAssembly build has no derivatives, which saltation matrices need.
for (const file of filesOf("tests/vectors", ".jsonl").filter((name) => !name.endsWith("saltation.jsonl")))
  test(`vectors ${file.slice(root.length)}`, () => {
    const input = readFileSync(file, "utf8");
    compareCommand(["solve", "--json", "-"], input, file);
  });

for (const file of [...filesOf("examples/cases", ".json")])
  test(`commands on ${file.slice(root.length)}`, () => {
    const input = readFileSync(file, "utf8");
    for (const words of [["solve", "--json", "--all"], ["compare", "--json"], ["geometry", "--json"], ["trace", "--json"], ["trace"], ["realize"], ["solve"], ["compare"]])
      compareCommand([...words, "-"], input, `${words.join(" ")} ${file}`);
  });

test("tables", () => {
  for (const words of [["laws", "--json"], ["laws"], ["explain", "--json"], ["examples"], ["--help"], ["solve", "--help"], ["compare"]])
    compareCommand(words, "", words.join(" "));
});

test("the scenes, but for the one with a thousand bodies, which the package leaves out", () => {
  const names = filesOf("scenes", ".json").map((file) => file.split("/").at(-1).replace(".json", ""));
  assert.deepEqual(Object.keys(carom.scenes()).sort(), names.filter((name) => name !== "thousand").sort());
});

// Long runs: their beginning.
const cut = {
  coin: ["--time", "0.5"],
  dominoes: ["--time", "0.5"],
  gas: ["--impacts", "500"],
  rattleback: ["--time", "0.5"],
  "rimless-wheel": ["--time", "1"],
};

for (const file of filesOf("scenes", ".json").filter((file) => !file.endsWith("/thousand.json"))) {
  const name = file.split("/").at(-1).replace(".json", "");
  test(`scene ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "carom-js-"));
    const words = ["sim", "--json", ...(cut[name] ?? []), "--output", "t.jsonl", "--events", "e.jsonl", name];
    const want = native(words, "", folder);
    const got = carom.run(words, "", ["t.jsonl", "e.jsonl"]);
    for (const text of ["t.jsonl", "e.jsonl"]) assertSame(got.files[text], readFileSync(join(folder, text), "utf8"), `${name} ${text}`);
    assertSame(got.output, want, name);
    rmSync(folder, { recursive: true });
  });
}

test("broken cases get the same messages", () => {
  const good = readFileSync(join(root, "examples/cases/ball.json"), "utf8");
  let seed = 1;
  const random = (n) => ((seed = (seed * 48271) % 2147483647) % n);
  const lines = [];
  for (let i = 0; i < 2000; i++) {
    const at = random(good.length);
    const put = ['"', "{", "}", "[", "]", ",", ":", "\\u12", "\\ud800", "é", "0", "-", ".", "e", "NaN", "//", "1e999", "\\q", "\t", ""][random(20)];
    lines.push((good.slice(0, at) + put + good.slice(at + random(4))).replaceAll("\n", " "));
  }
  const input = lines.join("\n");
  compareCommand(["solve", "--json", "-"], input, "broken cases");
  const folder = mkdtempSync(join(tmpdir(), "carom-js-"));
  for (const text of lines.slice(0, 60)) {
    let errors = "";
    try {
      execFileSync(program, ["solve", "-"], { input: text, stdio: ["pipe", "pipe", "pipe"] });
    } catch (error) {
      errors = error.stderr.toString();
    }
    if (errors) assertSame(carom.run(["solve", "-"], text).errors, errors, text);
  }
  rmSync(folder, { recursive: true });
});
