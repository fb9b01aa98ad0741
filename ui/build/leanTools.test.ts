import { expect, it } from "vitest";
import { leanTools } from "./leanTools";

const transform = leanTools.transform as (code: string, id: string) => { code: string } | null;

it("leaves out of the panel what only models read of a tool, and nothing else", () => {
  const tool =
    'description:\n    "Run \\"it\\".", label: () => "Run", node: textArgument("Node id."), title: "Run?"';
  expect(transform(tool, "/ui/src/tools/run.ts")?.code).toBe(
    'description:\n    "", label: () => "Run", node: textArgument(""), title: "Run?"',
  );
  expect(transform(tool, "/ui/src/slash/commands.ts")).toBeNull();
});
