// Every number of the table is that of `carom solve --json` for the exported case, digit for digit.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { browser, CAROM, exported, open, paste, table } from "./open.mjs";
import { generator, randomCase } from "./random.mjs";

after(() => browser.close());

const CASES = 200;
const AXES = { 2: ["t", "n"], 3: ["t1", "t2", "n"] };

// The numbers as the program writes them, not as JavaScript would.
function numbersOf(text, key) {
  const found = new RegExp(`"${key}": ?\\[([^\\]]*)\\]`).exec(text);
  return found ? found[1].split(",").map((x) => x.trim()) : undefined;
}

function solveAll(lines) {
  const done = spawnSync(CAROM, ["solve", "--json", "-"], { input: lines.join("\n") + "\n", encoding: "utf8", maxBuffer: 1 << 28 });
  return done.stdout.trim().split("\n");
}

test(`${CASES} random cases`, { timeout: 300_000 }, async () => {
  const page = await open();
  await page.check("#all-digits");
  const random = generator(20250701);
  const lines = [];
  const shown = [];
  for (let i = 0; i < CASES; i++) {
    assert.equal(await paste(page, JSON.stringify(randomCase(random, i))), "");
    const file = JSON.parse(await exported(page));
    for (const [law, cells] of Object.entries(await table(page))) {
      lines.push(JSON.stringify({ ...file, law }));
      shown.push({ i, law, cells });
    }
  }
  const answers = solveAll(lines);
  assert.equal(answers.length, lines.length);
  let count = 0;
  const wrong = [];
  const compare = (shownText, text, what) => {
    count++;
    if (shownText !== text) wrong.push(`${what}: ${shownText}, not ${text}`);
  };
  answers.forEach((text, k) => {
    const { i, law, cells } = shown[k];
    const p = numbersOf(text, "p");
    if (!p) return assert.equal(Object.values(cells).join(""), "", `case ${i}, ${law}: the program refuses it`);
    const axes = AXES[p.length];
    const u = numbersOf(text, "u_after");
    axes.forEach((axis, n) => {
      compare(cells[`p_${axis}`], p[n], `case ${i}, ${law}, p_${axis}`);
      compare(cells[`u_${axis}+`], u[n], `case ${i}, ${law}, u_${axis}`);
    });
  });
  assert.ok(count > 10 * CASES);
  assert.deepEqual(wrong, []);
  assert.deepEqual(page.complaints, []);
  console.log(`# ${count} numbers of ${CASES} cases equal those of carom solve --json`);
});
