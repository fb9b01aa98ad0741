/** Nodes read as they are, and not through what watches them for changes. */

import type { LiveNodeState, LiveWatched, Page } from "../page";

/**
 * From 1.58 a page keeps its nodes and their slots in reactive objects, through which a large workflow takes twice as
 * long to be saved as past them. What `read` saves is the same. Other pages are left alone.
 */
export function pastReactivity<Result>({ liteGraph }: Page, read: () => Result): Result {
  const prototype = liteGraph.LGraphNode?.prototype;
  const serialise = prototype?.serializeFromStoreState;
  if (!prototype || !serialise) return read();
  prototype.serializeFromStoreState = function (state: LiveNodeState) {
    const bare = itself(state);
    const [inputs, outputs] = [bare.inputs, bare.outputs].map((slots) => slots && itself(slots).map(itself));
    return serialise.call(this, { ...bare, inputs, outputs });
  };
  try {
    return read();
  } finally {
    prototype.serializeFromStoreState = serialise;
  }
}

function itself<Watched extends object>(watched: Watched): Watched {
  return ((watched as LiveWatched).__v_raw as Watched | undefined) ?? watched;
}
