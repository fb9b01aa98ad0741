import type { UIMessage } from "ai";

/** The name of the workflow that the latest of these results tells of. */
export function lastRead(messages: readonly UIMessage[]): string | undefined {
  return messages
    .flatMap(({ parts }) => parts.map(workflowOf))
    .findLast((name): name is string => typeof name === "string");
}

function workflowOf(part: UIMessage["parts"][number]): unknown {
  const { output } = part as { output?: { data?: { workflow?: unknown } | null } | null };
  return output?.data?.workflow;
}
