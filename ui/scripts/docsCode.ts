/**
 * Lays the code of docs/developing.md into `.docs`, for `tsc` to check it as if it stood in `src`. A block names its
 * file behind the language: ```ts src/tools/setNodeTitle.ts
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ui = dirname(import.meta.dirname);
const text = readFileSync(join(ui, "../docs/developing.md"), "utf8");
const blocks = [...text.matchAll(/^```tsx? (src\/\S+)\n(.*?)^```$/gms)];
if (blocks.length === 0)
  throw new Error("docs/developing.md has no block of TypeScript that names its file.");

rmSync(join(ui, ".docs"), { recursive: true, force: true });
for (const [, path = "", code = ""] of blocks) {
  const file = join(ui, ".docs", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code);
}
