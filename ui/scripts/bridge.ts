/**
 * Bundles the live bridge and the browser tools for browser tests: `node scripts/bridge.ts <file>`.
 *
 * Evaluated in ComfyUI's page, the file puts `window.newBridgeInPage` there, which makes a new `window.bridgeInPage`.
 */

import { basename, dirname, resolve } from "node:path";
import { build } from "vite";

const [target] = process.argv.slice(2);
if (!target) throw new Error("Where to? Usage: node scripts/bridge.ts <file>");

await build({
  configFile: false,
  logLevel: "error",
  root: resolve(import.meta.dirname, ".."),
  define: { "process.env.NODE_ENV": JSON.stringify("production") },
  build: {
    outDir: dirname(resolve(target)),
    emptyOutDir: false,
    minify: false,
    lib: {
      entry: resolve(import.meta.dirname, "bridgeInPage.ts"),
      formats: ["iife"],
      name: "bridgeForTests",
      fileName: () => basename(target),
    },
  },
});
