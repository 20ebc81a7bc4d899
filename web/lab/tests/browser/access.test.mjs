// Keyboard, names and contrast as WCAG 2.2 AA asks, in every view, light and dark; and one printed page per view.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { browser, open } from "./open.mjs";

after(() => browser.close());

const TABS = ["impact", "impulse", "slip", "motion", "gallery"];
const MOST_STOPS = 400; // of the Tab key until the page has been walked through

async function show(page, tab) {
  await page.click(`#tab-${tab}`);
  if (tab === "motion") await page.waitForSelector(".view.motion[data-computed]", { timeout: 60_000 });
  await page.waitForTimeout(250);
}

// Texts whose colour stands out too little from what is behind them: "text: ratio".
function faintTexts() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const light = ([r, g, b]) => [r, g, b].map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)).reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour[3] > 0.99) return colour;
    }
    return [255, 255, 255, 1];
  };
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (!text || element.closest("script, style, option, :disabled, [aria-disabled=true], .sheet") || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const ink = rgba(element instanceof SVGElement ? style.fill : style.color);
    const ground = behind(element);
    const seen = ink.slice(0, 3).map((x, i) => ink[3] * x + (1 - ink[3]) * ground[i]);
    const [a, b] = [light(seen), light(ground)].sort((x, y) => y - x);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < least) faint.add(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return [...faint];
}

for (const colorScheme of ["light", "dark"])
  test(`contrast of every text is 4.5 to 1 at least, ${colorScheme}`, async () => {
    const page = await open("", { colorScheme, reducedMotion: "reduce" });
    for (const tab of TABS) {
      await show(page, tab);
      assert.deepEqual(await page.evaluate(faintTexts), [], tab);
    }
  });

test("everything that takes the focus has a name and a role", async () => {
  const page = await open("", { reducedMotion: "reduce" });
  const session = await page.context().newCDPSession(page);
  for (const tab of TABS) {
    await show(page, tab);
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const focusable = nodes.filter((node) => !node.ignored && node.properties?.some((p) => p.name === "focusable" && p.value.value) && node.role?.value !== "RootWebArea");
    const nameless = focusable.filter((node) => !node.name?.value?.trim() || ["generic", "none"].includes(node.role?.value));
    assert.ok(focusable.length > 5, tab);
    assert.deepEqual(nameless.map((node) => `${node.role?.value} "${node.name?.value}"`), [], tab);
  }
});

// What has the focus now: a path for people, whether a ring is seen, and where it stands in the document.
function focused() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const all = [...document.querySelectorAll("*")];
  const ring = [getComputedStyle(element), getComputedStyle(element, "::after")].some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2);
  return { name: `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 30)}`, ring, at: all.indexOf(element) };
}

test("the Tab key reaches everything in the order of the page, with a ring", async () => {
  const page = await open("", { reducedMotion: "reduce" });
  for (const tab of TABS) {
    await show(page, tab);
    assert.equal(await page.locator('[tabindex]:not([tabindex="0"]):not([tabindex="-1"])').count(), 0, "no order of its own");
    await page.evaluate(() => document.activeElement.blur());
    const stops = [];
    for (let i = 0; i < MOST_STOPS; i++) {
      await page.keyboard.press("Tab");
      const stop = await page.evaluate(focused);
      if (!stop) break;
      stops.push(stop);
    }
    assert.ok(stops.length > 5 && stops.length < MOST_STOPS, `${tab}: ${stops.length} stops`);
    assert.deepEqual(stops.filter((stop) => !stop.ring).map((stop) => stop.name), [], `${tab}: without a ring`);
    const first = stops.findIndex((stop) => stop.at === Math.min(...stops.map((s) => s.at)));
    const order = [...stops.slice(first), ...stops.slice(0, first)].map((stop) => stop.at);
    assert.deepEqual(order, [...order].sort((a, b) => a - b), `${tab}: order`);
  }
});

for (const colorScheme of ["light", "dark"])
  test(`every view prints on one page, ${colorScheme}`, async () => {
    const page = await open("", { colorScheme, reducedMotion: "reduce" });
    for (const tab of TABS) {
      await show(page, tab);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
      assert.equal(Number(/\/Type\s*\/Pages[^>]*\/Count (\d+)/.exec(pdf)?.[1] ?? /\/Count (\d+)/.exec(pdf)?.[1]), 1, tab);
      assert.equal(await page.locator(".sheet").count(), 0, "the sheet is gone");
    }
    assert.deepEqual(page.complaints, []);
  });
