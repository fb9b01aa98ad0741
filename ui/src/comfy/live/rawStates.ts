/** Nodes read as they are, and not through what watches them for changes. */

import type { LiveNodeState, Page } from "./page";

/**
 * From 1.58 a page keeps its nodes in reactive objects, through which a large workflow takes twice as long to be saved
 * as past them. What `read` saves is the same. Other pages are left alone.
 */
export function pastReactivity<Result>({ liteGraph }: Page, read: () => Result): Result {
  const prototype = liteGraph.LGraphNode?.prototype;
  const serialise = prototype?.serializeFromStoreState;
  if (!prototype || !serialise) return read();
  prototype.serializeFromStoreState = function (state: LiveNodeState) {
    return serialise.call(this, state.__v_raw ?? state);
  };
  try {
    return read();
  } finally {
    prototype.serializeFromStoreState = serialise;
  }
}
