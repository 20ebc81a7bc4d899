// The page: load the library, open the link, show the tab.
import css from "./style.css?inline";
import { h } from "./dom";
import { loadEngine } from "./engine";
import { Shell } from "./shell";
import { Store } from "./state";
import { fromHash } from "./url";

declare global {
  interface Window {
    caromWasm?: Promise<WebAssembly.Module>; // unpacked by the page itself
  }
}

async function wasmModule(): Promise<WebAssembly.Module> {
  return window.caromWasm ?? WebAssembly.compileStreaming(fetch("/carom.wasm")); // the latter under `npm run dev`
}

async function start(): Promise<void> {
  document.head.append(h("style", {}, css));
  const engine = await loadEngine(await wasmModule());
  const { state, message } = fromHash(location.hash);
  const store = new Store(state);
  const shell = new Shell(store, engine);
  document.body.replaceChildren(shell.element);
  if (message) shell.say(message);
  store.flush();
  document.body.dataset.ready = "true";
  performance.mark("first-picture");
}

// A sentence instead of a blank page.
function fail(reason: unknown): void {
  const detail = reason instanceof Error ? reason.message : String(reason);
  document.body.replaceChildren(h("main", { class: "sorry" }, h("h1", {}, "The lab cannot start"), h("p", {}, `${detail}. The command line does the same computations: carom compare case.json`)));
  document.body.dataset.failed = detail;
}

start().catch(fail);
