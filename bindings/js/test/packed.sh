#!/usr/bin/env bash
# The package as npm packs it, installed in an empty folder without a network: the example of the README runs there, in a worker
# too, and TypeScript knows its types.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package=$(npm pack --silent --pack-destination "$folder")
tar xzOf "$folder/$package" package/LICENSE | grep -q "Permission is hereby granted" || { echo "the package has no licence" >&2; exit 1; }
sed -n '/^```js$/,/^```$/{/^```/d;p}' README.md >"$folder/example.mjs"
cat >"$folder/worker.mjs" <<'JS'
import { Worker, isMainThread, parentPort } from "node:worker_threads";
import { load } from "carom";
if (isMainThread) new Worker(new URL(import.meta.url)).on("message", (p) => console.log("worker", p));
else parentPort.postMessage((await load()).solve((await load()).examples().ball).p);
JS
cat >"$folder/types.mts" <<'TS'
import { type Answer, load } from "carom";
const carom = await load();
const answer: Answer = carom.solve({ law: "newton", reduced: { K: [[1, 0], [0, 1]], u: [0, -1] } });
const change: number = answer.energy.change;
// @ts-expect-error a law is a word
export const wrong = () => carom.solve({ law: 1 });
console.log(change);
TS
tsc=$PWD/node_modules/.bin/tsc
cd "$folder"
echo '{ "type": "module", "private": true }' >package.json
npm install --silent --no-audit --no-fund --offline "./$package" >/dev/null 2>&1
output=$(node example.mjs)
echo "$output" | grep -qE '^[A-Za-z_-]+ \[ 0.857142857142857[0-9]*, 0, 7.5' || { echo "the example of the README prints: $output" >&2; exit 1; }
echo "$output" | grep -q '^routh-stronge \[' || { echo "the example of the README prints: $output" >&2; exit 1; }
echo "$output" | tail -1 | grep -qE '^[0-9.]+ [0-9.]+$' || { echo "the example of the README prints: $output" >&2; exit 1; }
node worker.mjs | grep -q '^worker \[ 0.857' || { echo "the worker gave no answer" >&2; exit 1; }
"$tsc" --strict --module nodenext --target es2022 --skipLibCheck --outDir out types.mts
node out/types.mjs | grep -q '^-0.375$' || { echo "the typed example gave another number" >&2; exit 1; }
echo "packed: $(du -h "$package" | cut -f1), installed, example, worker and types work"
