/** Links that come back at once into the inputs that they leave. */

import type { LiveNode } from "../page";
import { replaceMethod } from "./replaceMethod";

/**
 * Where an input of a growing row loses its link, the page moves the others up a frame later, whether or not a link has
 * come back by then: the nodes do not hear of what happens meanwhile.
 */
export function withoutMovingUp<Result>(nodes: readonly LiveNode[], change: () => Result): Result {
  const growing = nodes.filter(({ comfyDynamic }) => comfyDynamic?.autogrow !== undefined);
  const restore = growing.map((node) => replaceMethod(node, "onConnectionsChange", () => undefined));
  try {
    return change();
  } finally {
    for (const each of restore) each();
  }
}
