/** Writes `contract/tools.json`: what Python tells models about the tools that run in the browser. */

import { writeFileSync } from "node:fs";
import { runnerImport } from "vite";

const target = new URL("../../contract/tools.json", import.meta.url);

const { module } = await runnerImport<typeof import("../src/tools/contract.ts")>("./src/tools/contract.ts", {
  root: new URL("..", import.meta.url).pathname,
  logLevel: "error",
});
const text = module.contractText();
writeFileSync(target, text);
console.log(
  `contract/tools.json: ${module.toolContract().length} tools, about ${module.estimatedTokens()} tokens`,
);
