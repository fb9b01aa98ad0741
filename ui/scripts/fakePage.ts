/**
 * Bundles the panel with a ComfyUI in memory, for tests in a page without ComfyUI: `node scripts/fakePage.ts <folder>`.
 *
 * The page loads `panel.mjs` from there; what the product loads later lies in chunks of its own, as in its own build.
 */

import { resolve } from "node:path";
import { build } from "vite";

const [target] = process.argv.slice(2);
if (!target) throw new Error("Where to? Usage: node scripts/fakePage.ts <folder>");

await build({
  configFile: false,
  logLevel: "error",
  root: resolve(import.meta.dirname, ".."),
  base: "./",
  publicDir: false,
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    target: "es2022",
    outDir: resolve(target),
    emptyOutDir: true,
    minify: false,
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 5000,
    rolldownOptions: {
      input: { panel: resolve(import.meta.dirname, "panelInFakePage.ts") },
      output: { entryFileNames: "[name].mjs", chunkFileNames: "chunks/[name]-[hash].mjs" },
    },
  },
});
