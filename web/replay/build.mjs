// Bundles src/main.js with three.js, compresses it, and writes dist/replay.html: the page with "@RUN@" where the program
// puts a run.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const bundle = await build({ entryPoints: ["src/main.js"], bundle: true, minify: true, format: "iife", target: "es2022", write: false, legalComments: "none" });
const program = gzipSync(bundle.outputFiles[0].contents, { level: 9 }).toString("base64");
const page = readFileSync("src/page.html", "utf8").replace("@PROGRAM@", program);
mkdirSync("dist", { recursive: true });
writeFileSync("dist/replay.html", page);
console.log(`dist/replay.html: ${Math.round(page.length / 1024)} KiB`);
