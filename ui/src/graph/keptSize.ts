/** The room of a node that takes the place of another: it keeps that one's looks. */

import type { GraphNode, Size } from "./graph";
import { titleHeight } from "./placement";

/** About what one takes in a title. */
const letterWidth = 7;

/** At least as large as the other in each direction, and collapsed, without a height, as that is. */
export function keptSize(old: GraphNode, node: GraphNode): Size {
  if (old.size.height === 0) return { width: collapsedWidth(node.title), height: 0 };
  return {
    width: Math.max(old.size.width, node.size.width),
    height: Math.max(old.size.height, node.size.height),
  };
}

/** About what a title takes with what is drawn on both its sides. */
export function collapsedWidth(title: string): number {
  return letterWidth * title.length + 2 * titleHeight;
}
