import type { UIMessage } from "ai";

/** A run names its workflow, of which it shows nothing. */
const ofRuns = "tool-executeWorkflow";

/** The name of the workflow that the latest of these results shows. */
export function lastRead(messages: readonly UIMessage[]): string | undefined {
  return messages
    .flatMap(({ parts }) => parts.map(workflowOf))
    .findLast((name): name is string => typeof name === "string");
}

function workflowOf(part: UIMessage["parts"][number]): unknown {
  if (part.type === ofRuns) return undefined;
  const { output } = part as { output?: { data?: { workflow?: unknown } | null } | null };
  return output?.data?.workflow;
}
