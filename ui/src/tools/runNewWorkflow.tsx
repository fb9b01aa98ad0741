import { z } from "zod";
import { executeWorkflow } from "./executeWorkflow";
import type { RunData } from "./run/runReport";
import { buildScript } from "./script/buildScript";
import { defineTool } from "./tool";
import { textArgument } from "./values/arguments";

const input = z.object({ script: textArgument("One node per line.") });

/** For small models, which do one thing well and lose their way in several: builds and runs in one call. */
export const runNewWorkflow = defineTool<z.infer<typeof input>, RunData>({
  name: "runNewWorkflow",
  description:
    "Make something new, such as an image of one color: builds a script's nodes beside what is open and runs them.",
  input,
  effect: "builds and runs",
  slim: { only: true },
  needsReading: () => false,
  async run({ script }, comfy, context) {
    const { built, changes, last } = await buildScript(comfy, script, context);
    const ran = await executeWorkflow.run(last === undefined ? {} : { until: last }, comfy, context);
    return ran.ok
      ? {
          ...ran,
          summary: `${built} ${ran.summary}`,
          told: [...(ran.told ?? []), "changes"],
          data: { ...ran.data, changes },
        }
      : { ...ran, error: `${built} Running it failed: ${ran.error}`, changes };
  },
  label: () => "Build a workflow and run it",
  render: ({ args: _, ...shown }) => executeWorkflow.render?.({ args: {}, ...shown }),
});
