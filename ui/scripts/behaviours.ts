/**
 * Bundles the behaviours of the bridge for a browser test: `node scripts/behaviours.ts <file>`.
 *
 * Evaluate the file in ComfyUI's page, then `await failingBehaviours()`: an empty list is a pass. The page's graph is
 * emptied.
 */

import { basename, dirname, resolve } from "node:path";
import { build } from "vite";

const [target] = process.argv.slice(2);
if (!target) throw new Error("Where to? Usage: node scripts/behaviours.ts <file>");

await build({
  configFile: false,
  logLevel: "error",
  root: resolve(import.meta.dirname, ".."),
  build: {
    outDir: dirname(resolve(target)),
    emptyOutDir: false,
    minify: false,
    lib: {
      entry: resolve(import.meta.dirname, "behavioursInPage.ts"),
      formats: ["iife"],
      name: "bridgeBehaviours",
      fileName: () => basename(target),
    },
  },
});
