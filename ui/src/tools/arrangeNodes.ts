import { z } from "zod";
import { loadCalls } from "./edit/loadCalls";
import { defineTool } from "./tool";
import { listArgument, textArgument } from "./values/arguments";

export const arrangeNodes = defineTool({
  name: "arrangeNodes",
  description: "Lay nodes out in place, only when asked.",
  input: z.object({
    nodes: listArgument(textArgument("Id."), 'Ids, groups or "selection"; by default all.').optional(),
  }),
  effect: "edits",
  loads: loadCalls,
  slim: { optional: ["nodes"] },
  run: async (args, comfy) => (await loadCalls()).arrangeNodes(args, comfy),
  label: ({ nodes }) => (nodes && nodes.length > 0 ? "Arrange some nodes" : "Arrange the workflow"),
});
