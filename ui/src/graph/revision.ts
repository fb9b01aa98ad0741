import type { CompactWorkflow } from "./compact/workflow";
import { writeCompact } from "./compact/write";

/**
 * Eight hex digits that change when nodes, links, values, titles or modes do, inside subgraphs too. Moving nodes keeps
 * them, and so groups do not count: they have the nodes that lie in them.
 */
export function workflowRevision(workflow: CompactWorkflow): string {
  const withoutGroups = { groups: [] };
  return fnv1a(
    writeCompact({
      ...workflow,
      ...withoutGroups,
      subgraphs: workflow.subgraphs.map((subgraph) => ({ ...subgraph, ...withoutGroups })),
    }),
  );
}

function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
