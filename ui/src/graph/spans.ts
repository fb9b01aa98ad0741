/** From where to where blocks may go, by what feeds them from elsewhere and what they feed there. */

import type { Block } from "./blocks";
import type { GraphNode } from "./graph";
import { outline } from "./placement";

const gap = 20;

/** As far as the others lie on their sides now; counted from `left`. */
export function withSpans(blocks: readonly Block[], nodes: readonly GraphNode[], left: number): Block[] {
  const blockOf = new Map(
    blocks.flatMap((block) => [...block.nodes.keys()].map((id) => [id, block] as const)),
  );
  const boxes = new Map(nodes.map((node) => [node.id, outline(node)]));
  const spans = new Map<Block, { from?: number; to?: number }>();
  for (const { id, inputs } of nodes)
    for (const { linkedFrom } of inputs) {
      const [source, target] = [linkedFrom && boxes.get(linkedFrom.node), boxes.get(id)];
      const [one, other] = [linkedFrom && blockOf.get(linkedFrom.node), blockOf.get(id)];
      if (!source || !target || Boolean(one) === Boolean(other)) continue;
      const edge = source.x + source.width;
      if (other && edge <= other.box.x) {
        const span = spans.get(other) ?? {};
        const from = Math.min(edge + gap, other.box.x) - left;
        spans.set(other, { ...span, from: Math.max(span.from ?? from, from) });
      }
      if (one && target.x >= one.box.x + one.box.width) {
        const span = spans.get(one) ?? {};
        const to = Math.max(target.x - gap, one.box.x + one.box.width) - left;
        spans.set(one, { ...span, to: Math.min(span.to ?? to, to) });
      }
    }
  return blocks.map((block) => ({ ...block, ...spans.get(block) }));
}
