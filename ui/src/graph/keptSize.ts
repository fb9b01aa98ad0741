/** The room of a node that takes the place of another: it keeps that one's looks. */

import type { GraphNode, Size } from "./graph";
import { titleHeight } from "./placement";

/** Of nodes with widgets, about the least. */
export const usualWidth = 210;
/** About what one takes in a title. */
const letterWidth = 7;

/** As wide as the other, and as high where that is enough; collapsed, without a height, as that is. */
export function keptSize(old: GraphNode, node: GraphNode): Size {
  if (old.size.height === 0) return { width: collapsedWidth(node.title), height: 0 };
  const least = node.leastHeight ?? node.size.height;
  // What stands for a node that is not installed grows to the height of its values, whatever its author had.
  const isGrown = !old.isInstalled && old.size.height <= (old.leastHeight ?? 0);
  return sizeAs(isGrown ? { ...old.size, height: least } : old.size, node.size, least);
}

/** `own` is the size of a new node, `least` the height that its slots and widgets take. */
export function sizeAs(old: Size, own: Size, least: number): Size {
  return {
    width: Math.max(old.width, Math.min(own.width, usualWidth)),
    height: Math.max(old.height, least),
  };
}

/** About what a title takes with what is drawn on both its sides. */
export function collapsedWidth(title: string): number {
  return letterWidth * title.length + 2 * titleHeight;
}
