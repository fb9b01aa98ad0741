/** The room that a node takes once it is drawn, which its size tells too late: pictures come after a run. */

import type { Size } from "../../../graph/graph";
import { collapsedWidth } from "../../../graph/keptSize";
import type { HeldNode } from "../../../graph/placement";
import { rectangle } from "../../../graph/uiWorkflow";
import type { LiveNode, Page } from "../page";

/** What ComfyUI makes of a node that shows a picture, as measured on both frontends. */
const withPicture = { canvas: 320, elements: 430 };
/** LiteGraph's modes without a title bar: none, or one that shows what is below it. */
const untitled = new Set<unknown>([1, 2]);
const pictureTypes = new Set<unknown>(["IMAGE", "MASK", "VIDEO"]);

interface Described {
  output_node?: boolean;
  inputs?: Record<string, { type?: unknown; image_upload?: boolean; video_upload?: boolean }>;
}

/** As ComfyUI's page holds it. */
export function heldNode(node: LiveNode): HeldNode {
  return {
    id: node.id,
    box: rectangle(node.pos, node.size),
    isCollapsed: node.flags?.collapsed,
    collapsedWidth: node._collapsed_width,
    isUntitled: untitled.has(node.title_mode),
  };
}

/** What its slots and widgets take at least; packs compute it in ways of their own, and some fail in no graph. */
export function leastSize(node: LiveNode): number[] {
  try {
    return Array.from(node.computeSize?.() ?? node.size);
  } catch {
    return Array.from(node.size);
  }
}

/** Below its title bar: a collapsed node has no height. */
export function drawnSize(
  { liteGraph: { vueNodesMode } }: Page,
  node: LiveNode,
  [width = 0, height = 0]: readonly number[] = Array.from(node.size),
): Size {
  if (node.flags?.collapsed)
    return { width: node._collapsed_width ?? collapsedWidth(node.title ?? ""), height: 0 };
  const { output_node, inputs = {} } = (node.constructor.nodeData ?? {}) as Described;
  const hasPicture = Object.values(inputs).some(
    ({ type, image_upload, video_upload }) =>
      image_upload || video_upload || (output_node && pictureTypes.has(type)),
  );
  const grown = vueNodesMode ? height + 30 + 8 * (node.widgets?.length ?? 0) : height;
  const least = hasPicture ? withPicture[vueNodesMode ? "elements" : "canvas"] : 0;
  return { width, height: Math.max(grown, least) };
}
