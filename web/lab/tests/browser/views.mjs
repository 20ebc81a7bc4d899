// Every scene and every view, at three widths, in light and dark: nothing in the console, no empty stage, no freeze.
// A program of its own (`./run test-lab-views`): it takes minutes. Arguments: names of scenes; none: all of them.
import { mkdirSync } from "node:fs";
import { browser, open } from "./open.mjs";

const WIDTHS = [390, 900, 1400];
const SCHEMES = ["light", "dark"];
const PATIENCE = 120_000; // ms until a run is computed
const LEAST_COLOURS = 3; // different colours in a picture that shows something
const FOLDER = process.env.SCREENSHOTS ?? "";
const wanted = process.argv.slice(2);
const failures = [];

if (FOLDER) mkdirSync(FOLDER, { recursive: true });

// How many different colours a coarse look at the stage finds.
function coloursOf(page, selector) {
  return page.evaluate(async (where) => {
    const stage = document.querySelector(where);
    if (!stage) return -1;
    const colours = new Set();
    const look = (canvas) => {
      const small = document.createElement("canvas");
      [small.width, small.height] = [96, 64];
      const pen = small.getContext("2d", { willReadFrequently: true });
      pen.drawImage(canvas, 0, 0, 96, 64);
      const { data } = pen.getImageData(0, 0, 96, 64);
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 0) colours.add(`${data[i] >> 3},${data[i + 1] >> 3},${data[i + 2] >> 3}`);
    };
    if (stage instanceof HTMLCanvasElement) look(stage);
    else return stage.querySelectorAll("*").length; // an SVG: how much is in it
    return colours.size;
  }, selector);
}

async function judge(page, name, selector) {
  const colours = await coloursOf(page, selector);
  if (colours < LEAST_COLOURS) failures.push(`${name}: the stage is empty (${colours})`);
  for (const text of page.complaints.splice(0)) failures.push(`${name}: ${text}`);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 1) failures.push(`${name}: the page is ${overflow} px too wide`);
  if (FOLDER) await page.screenshot({ path: `${FOLDER}/${name.replaceAll(" ", "-")}.png` });
}

async function views(page, name) {
  for (const [tab, selector] of [["impact", ".impact .stage svg"], ["impulse", ".plane .stage svg"], ["slip", ".plane .stage svg"], ["gallery", ".view"]]) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(250);
    await judge(page, `${name} ${tab}`, selector);
  }
}

async function scenes(page, name) {
  await page.click("#tab-motion");
  const chips = await page.locator('.chips[aria-label="scenes"] button').allTextContents();
  for (const chip of chips.filter((text) => wanted.length === 0 || wanted.includes(text))) {
    const before = await page.locator(".view.motion").getAttribute("data-computed");
    await page.locator('.chips[aria-label="scenes"] button', { hasText: new RegExp(`^${chip}$`) }).click();
    try {
      await page.waitForFunction((old) => document.querySelector(".view.motion").dataset.computed !== old, before, { timeout: PATIENCE });
    } catch {
      if (await page.locator(".view.motion .problem").textContent()) failures.push(`${name} ${chip}: ${await page.locator(".view.motion .problem").textContent()}`);
      else if (before === null || chip !== "bouncing ball") failures.push(`${name} ${chip}: not computed within ${PATIENCE / 1000} s`);
    }
    await page.waitForTimeout(150);
    await judge(page, `${name} ${chip}`, ".view.motion .screen canvas");
  }
}

for (const width of WIDTHS)
  for (const colorScheme of SCHEMES) {
    const page = await open("", { viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" });
    const name = `${width} ${colorScheme}`;
    if (wanted.length === 0) await views(page, name);
    await scenes(page, name);
    await page.context().close();
    console.log(`${name}: ${failures.length} failures so far`);
  }
await browser.close();
failures.forEach((line) => console.log(line));
process.exit(failures.length ? 1 : 0);
