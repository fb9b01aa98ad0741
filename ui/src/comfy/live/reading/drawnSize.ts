/** The room that a node takes once it is drawn, which its size tells too late: pictures come after a run. */

import type { Size } from "../../../graph/graph";
import { collapsedWidth } from "../../../graph/keptSize";
import type { LiveNode, Page } from "../page";

/** What ComfyUI makes of a node that shows a picture, as measured on both frontends. */
const withPicture = { canvas: 320, elements: 430 };
const pictureTypes = new Set<unknown>(["IMAGE", "MASK", "VIDEO"]);

interface Described {
  output_node?: boolean;
  inputs?: Record<string, { type?: unknown; image_upload?: boolean; video_upload?: boolean }>;
}

export function drawnSize({ liteGraph: { vueNodesMode } }: Page, node: LiveNode): Size {
  if (node.flags?.collapsed)
    return { width: node._collapsed_width ?? collapsedWidth(node.title ?? ""), height: 0 };
  const { output_node, inputs = {} } = (node.constructor.nodeData ?? {}) as Described;
  const hasPicture = Object.values(inputs).some(
    ({ type, image_upload, video_upload }) =>
      image_upload || video_upload || (output_node && pictureTypes.has(type)),
  );
  const [width = 0, height = 0] = Array.from(node.size);
  const grown = vueNodesMode ? height + 30 + 8 * (node.widgets?.length ?? 0) : height;
  const least = hasPicture ? withPicture[vueNodesMode ? "elements" : "canvas"] : 0;
  return { width, height: Math.max(grown, least) };
}
