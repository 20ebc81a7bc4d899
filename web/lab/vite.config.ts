// The lab as one script: build/page.mjs puts it into the page together with the library.
import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { CAROM_JS, WASM } from "./build/paths.mjs";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// `npm run dev` serves the library beside the page.
const wasm: Plugin = {
  name: "carom-wasm",
  configureServer(server) {
    server.middlewares.use("/carom.wasm", (_request, response) => {
      response.setHeader("Content-Type", "application/wasm");
      createReadStream(WASM).pipe(response);
    });
  },
};

export default defineConfig({
  plugins: [wasm],
  resolve: {
    alias: [
      { find: /^carom$/, replacement: CAROM_JS },
      { find: /^replay\//, replacement: here("../replay/src/") },
      { find: /^three\/addons\//, replacement: here("node_modules/three/examples/jsm/") },
      { find: /^three$/, replacement: here("node_modules/three/build/three.module.js") },
    ],
  },
  build: {
    target: "es2022",
    minify: true,
    rolldownOptions: { input: here("src/main.ts"), output: { format: "iife", entryFileNames: "lab.js" } },
  },
  test: { include: ["tests/unit/*.test.ts"] },
} as Parameters<typeof defineConfig>[0]);
