/** Nodes that tests lay out. */

import type { GraphNode, NodeId, Point } from "./graph";

/** It takes an image of each of `sources`, and gives one. */
export function imageNode(
  id: NodeId,
  { x, y }: Point,
  { sources = [], height = 100 }: { sources?: readonly NodeId[]; height?: number } = {},
): GraphNode {
  return {
    id,
    type: "ImageInvert",
    title: "Invert",
    defaultTitle: "Invert",
    mode: "active",
    isInstalled: true,
    inputs: sources.map((source, index) => ({
      name: `image${index}`,
      type: "IMAGE",
      isWidget: false,
      isOptional: false,
      linkedFrom: { node: source, output: 0, name: "IMAGE" },
    })),
    outputs: [{ name: "IMAGE", type: "IMAGE", linkedTo: [] }],
    widgets: [],
    position: { x, y },
    size: { width: 300, height },
  };
}
