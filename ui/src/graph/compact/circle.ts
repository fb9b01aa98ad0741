import type { NodeId } from "../graph";
import type { CompactGraph } from "./workflow";

/** Nodes that feed each other, the first one named again at the end; undefined where none do. */
export function circleIn({ nodes }: CompactGraph): NodeId[] | undefined {
  const sources = new Map(
    nodes.map(({ id, links }) => [id, links.flatMap(({ source, unwired }) => (unwired ? [] : source.node))]),
  );
  const finished = new Set<NodeId>();
  for (const { id: first } of nodes) {
    const path = new Set<NodeId>();
    const waiting: { id: NodeId; next: number }[] = [{ id: first, next: 0 }];
    while (waiting.length > 0) {
      const step = waiting.at(-1) as { id: NodeId; next: number };
      if (step.next === 0) {
        if (finished.has(step.id)) {
          waiting.pop();
          continue;
        }
        if (path.has(step.id)) return [...[...path].slice([...path].indexOf(step.id)), step.id];
        path.add(step.id);
      }
      const source = sources.get(step.id)?.[step.next++];
      if (source !== undefined) waiting.push({ id: source, next: 0 });
      else {
        finished.add(step.id);
        path.delete(step.id);
        waiting.pop();
      }
    }
  }
  return undefined;
}
