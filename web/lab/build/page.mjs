// Puts the script and the library into one page: dist/lab.html.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { pack } from "./pack.mjs";
import { WASM } from "./paths.mjs";

const MOST = 700_000; // bytes of the page
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

// Custom sections of a module are names for debuggers; the page goes without them.
function stripped(module) {
  const kept = [module.subarray(0, 8)];
  for (let at = 8; at < module.length; ) {
    let [size, next, shift] = [0, at + 1, 0];
    do {
      size |= (module[next] & 127) << shift;
      shift += 7;
    } while (module[next++] & 128);
    if (module[at] !== 0) kept.push(module.subarray(at, next + size));
    at = next + size;
  }
  return Buffer.concat(kept);
}

// zopfli takes seconds and gives 5 % less than zlib; browsers read both.
function compressed(name, bytes) {
  const file = here(`../dist/${name}`);
  writeFileSync(file, bytes);
  const done = spawnSync("zopfli", ["-c", "--i10", "--gzip", file], { maxBuffer: 1 << 26 });
  return done.status === 0 ? done.stdout : gzipSync(bytes, { level: 9 });
}

const parts = { PROGRAM: compressed("lab.js", readFileSync(here("../dist/lab.js"))), WASM: compressed("carom.wasm", stripped(readFileSync(WASM))) };
let page = readFileSync(here("page.html"), "utf8");
for (const [name, bytes] of Object.entries(parts)) page = page.replace(`@${name}@`, () => pack(bytes)).replace(`@${name}_LENGTH@`, String(bytes.length));

const out = here("../dist/lab.html");
writeFileSync(out, page);
const size = Buffer.byteLength(page);
const kilo = (n) => `${Math.round(n / 1000)} kB`;
console.error(`the page has ${kilo(size)}: script ${kilo(parts.PROGRAM.length)}, library ${kilo(parts.WASM.length)} before they become text`);
if (size > MOST) console.error(`this is more than the ${kilo(MOST)} that ./run test-lab allows`);
