/** The room of a node that takes the place of another: it keeps that one's looks. */

import type { GraphNode } from "./graph";
import { titleHeight } from "./placement";

const letterWidth = 7;

/** At least as large as the other in each direction, and collapsed as that is. */
export function keptSize(old: GraphNode, node: GraphNode): Pick<GraphNode, "size" | "isCollapsed"> {
  if (old.isCollapsed) return { size: { width: collapsedWidth(node.title), height: 0 }, isCollapsed: true };
  return {
    size: {
      width: Math.max(old.size.width, node.size.width),
      height: Math.max(old.size.height, node.size.height),
    },
  };
}

/** About what a title takes with what is drawn on both its sides. */
export function collapsedWidth(title: string): number {
  return letterWidth * title.length + 2 * titleHeight;
}
