// The page in headless Chromium, from its file.
import { existsSync, statSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export const PAGE = here("../../dist/lab.html");
export const ADDRESS = pathToFileURL(PAGE).href;
export const CAROM = here("../../../../build/carom");
export const SIZE = existsSync(PAGE) ? statSync(PAGE).size : 0;

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

// A new page; what it complains of is collected in page.complaints.
export async function open(hash = "", options = {}) {
  const { before, ...context } = options;
  const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 }, ...context })).newPage();
  page.complaints = [];
  page.on("pageerror", (error) => page.complaints.push(error.message));
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  if (before) await page.addInitScript(before);
  await page.goto(ADDRESS + hash);
  await page.waitForSelector("body[data-ready], body[data-failed]", { timeout: 30_000 });
  return page;
}

// Two frames: everything that a change causes has happened.
export function settled(page) {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function paste(page, text) {
  return page.evaluate(async (value) => {
    const dialog = document.querySelector("dialog");
    if (!dialog.open) [...document.querySelectorAll(".menu button")].find((b) => b.textContent.startsWith("Paste")).click();
    const area = dialog.querySelector("textarea");
    area.value = value;
    area.dispatchEvent(new Event("input"));
    dialog.querySelector(".primary").click();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return dialog.open ? dialog.querySelector(".problem").textContent : "";
  }, text);
}

export async function exported(page) {
  return page.evaluate(() => {
    [...document.querySelectorAll(".menu button")].find((b) => b.textContent.startsWith("Paste")).click();
    const dialog = document.querySelector("dialog");
    const text = dialog.querySelector("textarea").value;
    dialog.close();
    return text;
  });
}

// The table of laws with all its digits: {law: {column: text}}.
export async function table(page) {
  return page.evaluate(() => Object.fromEntries([...document.querySelectorAll(".every-law tbody tr")].map((row) => [row.dataset.law, Object.fromEntries([...row.querySelectorAll("td[data-column]")].map((cell) => [cell.dataset.column, cell.textContent]))])));
}
