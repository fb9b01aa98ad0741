import type { LiveNode, Page } from "../page";

/**
 * A node in no graph, to look at; null where it cannot be made. Nobody has asked for it, so a pack that cannot make its
 * own is no news: LiteGraph would write an error into the console.
 */
export function makeBlankNode({ liteGraph }: Page, type: string): LiveNode | null {
  const catches = liteGraph.catch_exceptions;
  liteGraph.catch_exceptions = false;
  try {
    return liteGraph.createNode(type);
  } catch {
    return null;
  } finally {
    liteGraph.catch_exceptions = catches;
  }
}
