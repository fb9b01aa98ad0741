import { z } from "zod";
import { FreeMemory } from "../ui/FreeMemory";
import { execute } from "./run/execute";
import { RunOutputs } from "./run/RunOutputs";
import type { RunData } from "./run/runReport";
import { mostRuns, variationsArgument } from "./run/variationsArgument";
import { defineTool } from "./tool";
import { integerArgument, integersArgument, textArgument } from "./values/arguments";

const input = z.object({
  until: textArgument("Node to run up to; its result is shown.").optional(),
  seeds: integersArgument().optional(),
  randomSeeds: integerArgument("Or: how many random seeds.", { min: 1, max: mostRuns }).optional(),
  vary: variationsArgument("One run per value of a widget.").optional(),
  timeoutSeconds: integerArgument("Longest wait; the run goes on.", {
    min: 1,
    max: 86_400,
  }).optional(),
  follow: textArgument("Id of a run that went on: wait for it, run nothing.").optional(),
});

export type RunInput = z.infer<typeof input>;

export const executeWorkflow = defineTool<RunInput, RunData>({
  name: "executeWorkflow",
  description: `Run the workflow to its end. Returns output files and texts, or errors with node, input and reason. Seeds and varied values are all combined, at most ${mostRuns} runs; the graph keeps its own values.`,
  input,
  effect: "runs",
  needsReading: ({ until, vary }) => until !== undefined || vary !== undefined,
  run: (args, comfy, context) => execute(args, comfy, context),
  label: ({ until, follow }) =>
    follow ? "Wait for the run" : until ? `Run up to node ${until}` : "Run the workflow",
  outside: (_, data) =>
    ("runs" in data ? data.runs : [data]).some(
      (run) => "outputs" in run && run.outputs.some(({ text }) => text),
    )
      ? "texts that the run put out"
      : undefined,
  render: ({ result, freeMemory }) => {
    if (result?.ok)
      return <RunOutputs {...("runs" in result.data ? result.data : { runs: [result.data] })} />;
    return freeMemory && result?.code === "out-of-memory" ? <FreeMemory free={freeMemory} /> : null;
  },
});
