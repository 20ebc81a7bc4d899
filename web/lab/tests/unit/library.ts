// The library for unit tests: the module that the page carries.
import { readFileSync } from "node:fs";
import { load, type Carom } from "carom";
import { WASM } from "../../build/paths.mjs";
import { loadEngine, type Engine } from "../../src/engine";

const bytes = readFileSync(WASM);

export const library: Carom = await load(bytes);
export const engine: Engine = await loadEngine(bytes);
