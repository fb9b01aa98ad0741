/** Writes `contract/tools.json`: what Python tells models about the tools that run in the browser. */

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { runnerImport } from "vite";

const ui = resolve(import.meta.dirname, "..");

const { module } = await runnerImport<typeof import("../src/tools/contract.ts")>("./src/tools/contract.ts", {
  root: ui,
  logLevel: "error",
});
writeFileSync(resolve(ui, "../contract/tools.json"), module.contractText());
console.log(
  `contract/tools.json: ${module.toolContract.length} tools, about ${module.estimatedTokens()} tokens`,
);
