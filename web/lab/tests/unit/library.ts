// The libraries for unit tests: the one with all requests, and the module that the page carries.
import { readFileSync } from "node:fs";
import { load, type Carom } from "carom";
import { WASM, WHOLE } from "../../build/paths.mjs";
import { loadEngine, type Engine } from "../../src/engine";

export const library: Carom = await load(readFileSync(WHOLE));
export const engine: Engine = await loadEngine(readFileSync(WASM));
