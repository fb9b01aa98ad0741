import { usualWidth } from "../../../graph/keptSize";
import type { LiveNode, Page } from "../page";

/** A new node of this type, wide enough for its title: ComfyUI's own are 140 where they have slots alone. */
export function newNode({ liteGraph }: Page, type: string): LiveNode | null {
  const node = liteGraph.createNode(type);
  const [width = 0, height = 0] = Array.from(node?.size ?? []);
  if (node?.constructor.nodeData && width < usualWidth) node.size = [usualWidth, height];
  return node;
}

/**
 * A node in no graph, to look at; null where it cannot be made. Nobody has asked for it, so a pack that cannot make its
 * own is no news: LiteGraph would write an error into the console.
 */
export function makeBlankNode(page: Page, type: string): LiveNode | null {
  const { liteGraph } = page;
  const catches = liteGraph.catch_exceptions;
  liteGraph.catch_exceptions = false;
  try {
    return newNode(page, type);
  } catch {
    return null;
  } finally {
    liteGraph.catch_exceptions = catches;
  }
}
