// Where the package for JavaScript is, the module with the requests that the page makes, and the module with all.
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = process.env.CAROM_JS ?? here("../../../bindings/js");

export const CAROM_JS = `${folder}/src/index.ts`;
export const WASM = process.env.CAROM_WASM ?? here("../../../build-js/carom-page.small.wasm");
export const WHOLE = `${folder}/dist/carom.wasm`;
