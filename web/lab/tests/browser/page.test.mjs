// The page as a person uses it: drag, slide, switch, share; and what it does with bad input.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { after, test } from "node:test";
import { browser, CAROM, exported, open, paste, settled, SIZE, table } from "./open.mjs";

after(() => browser.close());

const MOST = 700_000;

async function drag(page, selector, dx, dy, steps = 12) {
  const box = await page.locator(selector).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx, y + dy, { steps });
  await page.mouse.up();
  await settled(page);
}

const valueOf = (page, path) => page.inputValue(`[data-path="${path}"]`);

test("one file, small, and quickly there", async () => {
  assert.ok(SIZE > 0 && SIZE <= MOST, `${SIZE} bytes`);
  const page = await open();
  const first = await page.evaluate(() => performance.getEntriesByName("first-picture")[0].startTime);
  console.log(`# the page has ${Math.round(SIZE / 1000)} kB; first picture after ${Math.round(first)} ms`);
  assert.deepEqual(page.complaints, []);
  assert.equal(Object.keys(await table(page)).length, 16);
});

test("drag the velocity, the spin, the contact and the normal", async () => {
  const page = await open();
  const before = await table(page);
  await drag(page, '[data-handle="velocity-a"]', 60, -30);
  assert.notEqual(await valueOf(page, "bodies.a.velocity.0"), "2");
  assert.notDeepEqual(await table(page), before);
  await drag(page, '[data-handle="spin-a"]', -30, 10);
  assert.notEqual(await valueOf(page, "bodies.a.omega"), "0");
  await drag(page, '[data-handle="normal"]', 40, 10);
  assert.notEqual(await valueOf(page, "contact.normal.0"), "0");
  const arm = await valueOf(page, "contact.arm_a.0");
  await drag(page, '[data-handle="centre"]', -50, -10);
  assert.notEqual(await valueOf(page, "contact.arm_a.0"), arm);
  assert.deepEqual(page.complaints, []);
});

test("frames while dragging with every law live (printed)", async () => {
  const page = await open();
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const tick = (now) => {
      window.frames_.push(now - last);
      last = now;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const work = async () => (await session.send("Performance.getMetrics")).metrics.find((m) => m.name === "TaskDuration").value;
  const before = await work();
  await drag(page, '[data-handle="velocity-a"]', 120, -120, 240);
  const spent = (await work()) - before;
  const times = (await page.evaluate(() => window.frames_)).slice(2).sort((a, b) => a - b);
  const cost = await page.evaluate(async () => {
    const box = document.querySelector('[data-path="bodies.a.velocity.0"]');
    const start = performance.now();
    for (let i = 0; i < 100; i++) {
      box.value = String(i / 50);
      box.dispatchEvent(new Event("change"));
      await new Promise((done) => requestAnimationFrame(done));
    }
    return (performance.now() - start) / 100;
  });
  console.log(`# ${times.length} frames: median ${times[times.length >> 1].toFixed(1)} ms, 95 % below ${times[Math.floor(0.95 * times.length)].toFixed(1)} ms; a change with its frame takes ${cost.toFixed(1)} ms; the main thread computed for ${((1000 * spent) / 240).toFixed(1)} ms per pointer event`);
  assert.ok(times.length > 10);
});

test("slide a coefficient, switch the law, choose a body", async () => {
  const page = await open();
  await page.locator('[data-coefficient="e"]').fill("0.9");
  await settled(page);
  assert.equal(await valueOf(page, "coefficients.e"), "0.9");
  await page.selectOption("#law", "hertz");
  await settled(page);
  assert.ok("hertz" in (await table(page)));
  assert.equal(await page.locator('[data-coefficient="E_star"]').count(), 1);
  await page.click('.every-law tr[data-law="whittaker"] button');
  await settled(page);
  assert.equal(await page.inputValue("#law"), "whittaker");
  for (const label of ["Disk", "Two disks", "Box corner", "Sphere in space", "Box corner in space", "Custom body", "K and u (plane)", "K and u (space)", "Two-link arm"]) {
    await page.locator(".chip", { hasText: label }).first().click();
    await settled(page);
    assert.equal(await page.locator(".banner").first().textContent(), "", label);
  }
  assert.deepEqual(page.complaints, []);
});

test("energy that a law creates is red", async () => {
  const page = await open();
  await page.click("#tab-gallery");
  await page.click('[data-exhibit="creates-energy"]');
  await settled(page);
  const width = await page.evaluate(() => document.querySelector('tr[data-law="whittaker"] .gain').getBoundingClientRect().width);
  assert.ok(width > 3, `${width}`);
  assert.match(await page.textContent(".words"), /kinetic energy rises/i);
});

test("slow motion plays and stops; reduced motion steps", async () => {
  const page = await open();
  await page.click('[aria-label="play in slow motion"]');
  await page.waitForTimeout(300);
  assert.ok((await page.locator(".stage input[type=range]").inputValue()) < 0);
  await page.click('[aria-label="play in slow motion"]');
  assert.equal(await page.locator(".stage input[type=range]").inputValue(), "0");
  const still = await open("", { reducedMotion: "reduce" });
  await still.click('[aria-label="play in slow motion"]');
  assert.ok((await still.locator(".stage input[type=range]").inputValue()) > 0.3);
});

test("a link brings the same page", async () => {
  const page = await open();
  await drag(page, '[data-handle="velocity-a"]', 30, 20);
  await page.selectOption("#law", "smith");
  await page.waitForTimeout(400);
  const hash = await page.evaluate(() => location.hash);
  const twin = await open(hash);
  assert.equal(await exported(twin), await exported(page));
  assert.deepEqual(await table(twin), await table(page));
});

test("keyboard: tabs, handles, numbers", async () => {
  const page = await open();
  await page.focus('[data-handle="velocity-a"]');
  await page.keyboard.press("Shift+ArrowRight");
  await settled(page);
  assert.ok(Number(await valueOf(page, "bodies.a.velocity.0")) > 2);
  await page.focus("#tab-impact");
  await page.keyboard.press("ArrowRight");
  await settled(page);
  assert.equal(await page.getAttribute("#tab-impulse", "aria-selected"), "true");
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, input, select, [tabindex='0']")].filter((e) => !(e.getAttribute("aria-label") || e.title || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML.slice(0, 80)));
  assert.deepEqual(unnamed, []);
});

test("drag the answer in impulse space", async () => {
  const page = await open();
  await page.click("#tab-impulse");
  await settled(page);
  const before = await page.textContent(".found");
  await drag(page, '[data-handle="answer"]', -8, -40, 6);
  const found = await page.textContent(".found");
  assert.notEqual(found, before);
  assert.match(found, /routh-stronge .*e = /);
  assert.deepEqual(page.complaints, []);
});

test("a broken case shows the message of the command line", async () => {
  const page = await open();
  const broken = ['{"law":"jia","bodies":{"a":{"mass":-1,"inertia":1},"b":{"fixed":true}},"contact":{"normal":[0,1],"arm_a":[0,-1]}}', '{"law":"jia","coefficients":{"e":2},"reduced":{"K":[[1,0],[0,1]],"u":[1,-1]}}', '{"law": "jia", "bodies": {', '{"law":"smith","reduced":{"K":[[1,2],[2,1]],"u":[1,-1]}}', "[1, 2]", "null"];
  for (const text of broken) {
    const { stderr } = spawnSync(CAROM, ["compare", "--json", "-"], { input: text, encoding: "utf8" });
    const said = stderr.trim().split("\n").at(-1).replace(/^stdin:\d+:(\d+:)? ?/, "").replace(/^carom: /, "");
    assert.equal(await paste(page, text), said, text);
  }
  assert.equal(await paste(page, ""), "empty: no case in it"); // the program speaks of a file
  assert.deepEqual(page.complaints, []);
});

test("a bad number is refused at its field, and the page goes on", async () => {
  const page = await open();
  for (const [value, words] of [["-1", "must be > 0"], ["abc", "is not a number"], ["1e999", "is not a number"]]) {
    await page.fill('[data-path="bodies.a.mass"]', value);
    await page.press('[data-path="bodies.a.mass"]', "Tab");
    await settled(page);
    const note = await page.locator('.field:has([data-path="bodies.a.mass"]) .problem').textContent();
    assert.ok(note.includes(words), `${value}: ${note}`);
  }
  await page.fill('[data-path="bodies.a.mass"]', "3");
  await page.press('[data-path="bodies.a.mass"]', "Tab");
  await settled(page);
  assert.equal(await page.locator('.field:has([data-path="bodies.a.mass"]) .problem').textContent(), "");
  assert.deepEqual(page.complaints, []);
});

test("links from a newer lab, damaged links", async () => {
  const newer = await open("#v=99&s=e30");
  assert.match(await newer.textContent(".note"), /newer lab \(version 99/);
  assert.equal(Object.keys(await table(newer)).length, 16);
  assert.match(await (await open("#v=1&s=***")).textContent(".note"), /damaged/);
});

test("without WebAssembly or DecompressionStream there is a sentence", async () => {
  for (const name of ["WebAssembly", "DecompressionStream"]) {
    const page = await open("", { before: `delete globalThis.${name}` });
    assert.match(await page.textContent("body"), new RegExp(`no ${name}`));
  }
});

test("motion: play, step to impacts, open one, drop scenes", { timeout: 120_000 }, async () => {
  const page = await open();
  await page.click("#tab-motion");
  await page.waitForSelector(".motion[data-computed]", { timeout: 30_000 });
  await page.click('[aria-label="play or pause"]');
  const rows = await page.locator(".events li").count();
  assert.ok(rows >= 100, `${rows}`);
  await page.click('[aria-label="next impact"]');
  assert.ok(Number((await page.textContent(".motion .clock")).replace(" s", "")) > 0);
  assert.ok((await page.locator(".energy-plot canvas").count()) === 1);
  const bodies = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`b${i}`, { shape: { sphere: { radius: 0.1 } }, mass: 1, position: [i, 0, 0] }]));
  const give = (scene) => page.setInputFiles('.motion input[type="file"]', { name: "scene.json", mimeType: "application/json", buffer: Buffer.from(typeof scene === "string" ? scene : JSON.stringify(scene)) });
  await give({ law: "newton", bodies, until: { time: 1 } });
  await page.waitForFunction(() => document.querySelector(".motion .banner").textContent.includes("10,000 bodies"));
  await give({ law: "newton", bodies: { a: { shape: { sphere: { radius: -1 } }, mass: 1 } }, until: { time: 1 } });
  await page.waitForFunction(() => document.querySelector(".motion .banner").textContent.includes("radius"));
  await give("{");
  await page.waitForFunction(() => document.querySelector(".motion .banner").textContent !== "");
  await give({ name: "own scene", law: "newton", gravity: [0, 0, -9.81], bodies: { a: { shape: { sphere: { radius: 0.1 } }, mass: 1, position: [0, 0, 1] }, floor: { shape: { "half-space": { normal: [0, 0, 1], offset: 0 } }, fixed: true } }, until: { time: 2 } });
  await page.waitForFunction(() => document.querySelector(".motion .status").textContent.includes("Own scene"));
  await page.locator(".events .open").first().click();
  await settled(page);
  assert.match(await exported(page), /impact of a and floor/);
  assert.deepEqual(page.complaints, []);
});

test("two laws side by side", { timeout: 120_000 }, async () => {
  const page = await open();
  await page.click("#tab-motion");
  await page.waitForSelector(".motion[data-computed]", { timeout: 30_000 });
  await page.selectOption("#second-law", "smith");
  await page.waitForFunction(() => document.querySelectorAll(".screen canvas").length === 2, undefined, { timeout: 30_000 });
  assert.deepEqual(await page.locator(".screen-label").allTextContents(), ["routh-stronge", "smith"]);
  assert.deepEqual(page.complaints, []);
});

test("the cue ball is played by dragging", { timeout: 120_000 }, async () => {
  const page = await open();
  await page.click("#tab-motion");
  await page.locator(".chip", { hasText: "break" }).click();
  await page.waitForFunction(() => document.querySelector(".motion .status").textContent.includes("cue ball"), undefined, { timeout: 60_000 });
  const ball = await page.evaluate(() => window.caromCue?.());
  assert.ok(ball, "the place of the cue ball on the screen");
  await page.mouse.move(...ball);
  await page.mouse.down();
  await page.mouse.move(ball[0] - 40, ball[1] + 6, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(400);
  assert.match(await page.evaluate(() => atob(location.hash.split("s=")[1].replace(/-/g, "+").replace(/_/g, "/"))), /"stroke":\[[^n]/);
});

test("every view fits at three widths, light and dark, without complaints", { timeout: 240_000 }, async () => {
  for (const width of [390, 820, 1400])
    for (const colorScheme of ["light", "dark"]) {
      const page = await open("", { viewport: { width, height: 860 }, colorScheme, reducedMotion: "reduce" });
      for (const tab of ["impact", "impulse", "slip", "motion", "gallery"]) {
        await page.click(`#tab-${tab}`);
        await settled(page);
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(over <= 0, `${tab} at ${width}: ${over} px too wide`);
      }
      assert.deepEqual(page.complaints, []);
      await page.context().close();
    }
});

test("exports: SVG, PNG, CSV", async () => {
  const page = await open();
  const save = async (label) => {
    const [file] = await Promise.all([page.waitForEvent("download"), page.evaluate((text) => [...document.querySelectorAll(".menu button")].find((b) => b.textContent === text).click(), label)]);
    const chunks = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  assert.match((await save("Save SVG")).toString(), /^<svg[^>]*viewBox.*<\/svg>$/s);
  assert.equal((await save("Save PNG")).subarray(1, 4).toString(), "PNG");
  const csv = (await save("Save CSV")).toString().trim().split("\n");
  assert.equal(csv.length, 17);
  assert.match(csv[0], /^law,family,status,p_t,p_n,/);
});
