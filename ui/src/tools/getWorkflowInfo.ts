import { z } from "zod";
import { amountOf } from "../shared/amounts";
import { readElsewhere } from "./read/elsewhere";
import { readOpen } from "./read/readOpen";
import { views } from "./read/views";
import { defineTool } from "./tool";
import { integerArgument, listArgument, textArgument } from "./values/arguments";

export const getWorkflowInfo = defineTool({
  name: "getWorkflowInfo",
  description:
    'Read the open workflow. One line per node, in order of flow: id type "title" input<sourceId.OUTPUT widget=value, where input<93 is the only or like-named output, input<? needs a source, input<1(via 3) has it without a wire, >X is an unused output, S1 a subgraph told below, ^9.seed a widget of node 9 inside it, …+9 a cut by 9 characters, group "A" [x y width height]; most values at their default are left out. Node 3 inside node 12 goes by 12:3. With nodeIds: box, slots, widgets, choices of these.',
  input: z.object({
    view: z
      .enum(views)
      .meta({
        description:
          "compact (default), outline (no values), around (nodeIds and what is near), selection, or changes since you last read.",
      })
      .optional(),
    nodeIds: listArgument(textArgument("Node id or title."), "Only these nodes.").optional(),
    depth: integerArgument("How many links around reaches; 1 if not given.", { min: 0, max: 20 }).optional(),
    values: z.enum(["full"]).meta({ description: "Long values and notes whole." }).optional(),
    template: textArgument("Read a template instead; file and ref likewise. Nothing is loaded.").optional(),
    file: textArgument("Such as input/a.json.").optional(),
    ref: textArgument("Such as u3 or d2.").optional(),
    tab: textArgument("Go to another open workflow first, by name.").optional(),
  }),
  effect: "reads",
  share: "most",
  usual: wholeValues,
  opensOther: ({ tab }) => tab !== undefined && tab !== null,
  async run(args, comfy, context) {
    const { template, file, ref, ...open } = args;
    const elsewhere = { template, file, ref };
    if (Object.values(elsewhere).some((each) => each !== undefined))
      return readElsewhere(comfy, context, elsewhere, args);
    return readOpen(comfy, context, open);
  },
  label: ({ view, nodeIds, template, file, ref, tab }) =>
    nodeIds && nodeIds.length > 0
      ? `Read node ${nodeIds.join(", ")}`
      : view === "changes"
        ? "Read what changed"
        : `Read ${template ?? file ?? ref ?? (tab === undefined ? "the workflow" : `the workflow “${tab}”`)}`,
  outcome(data) {
    const read = openWorkflow.safeParse(data).data;
    return read && `“${read.workflow}”: ${amountOf(read.nodes, "node")}, ${amountOf(read.links, "link")}`;
  },
});

/** Models ask for everything as a view, or say yes to the values. */
function wholeValues({ view, values, ...others }: { [argument: string]: unknown }): object {
  const isWhole = [view, values].some((word) => ["full", "all", "true"].includes(String(word).toLowerCase()));
  const known = views.find((each) => each === view);
  return {
    ...others,
    ...(isWhole ? { ...(known && { view: known }), values: "full" } : { view, values }),
  };
}

const openWorkflow = z.object({ workflow: z.string(), nodes: z.number(), links: z.number() });
