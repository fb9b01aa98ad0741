/** The part of the canvas that is seen, moved so that what was made lies in it. */

import type { NodeId, Rectangle } from "../../graph/graph";
import { bounds, contains, outline } from "../../graph/placement";
import { rectangle } from "../../graph/uiWorkflow";
import type { Comfy } from "../bridge";
import { liveNode, openGraph, type Page } from "./page";
import { drawnSize } from "./reading/drawnSize";

const margin = 40;
const smallest = 0.1;

export function createBringIntoView(page: Page): Comfy["bringIntoView"] {
  return (ids, { always = false } = {}) => {
    const free = freeArea(page);
    const wanted = boxOf(page, ids);
    if (!free || !wanted) return;
    const { canvas } = page.app;
    const { ds } = canvas;
    if (!always && contains(inGraph(page, free), wanted)) return;
    const fitting = Math.min(free.width / wanted.width, free.height / wanted.height);
    ds.scale = Math.max(smallest, Math.min(fitting, always ? 1 : ds.scale));
    ds.offset[0] = (free.x + free.width / 2) / ds.scale - wanted.x - wanted.width / 2;
    ds.offset[1] = (free.y + free.height / 2) / ds.scale - wanted.y - wanted.height / 2;
    openGraph(page).setDirtyCanvas(true, true);
  };
}

function boxOf(page: Page, ids: readonly NodeId[] | undefined): Rectangle | undefined {
  const graph = openGraph(page);
  const nodes = ids?.flatMap((id) => liveNode(graph, id) ?? []) ?? graph.nodes;
  if (nodes.length === 0) return undefined;
  const { x, y, width, height } = bounds(
    nodes.map((node) => outline({ position: rectangle(node.pos, node.size), size: drawnSize(page, node) })),
  );
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

/**
 * In pixels of the canvas. Both frontends lay this element over the part that their side and bottom panels leave free.
 */
function freeArea({ app: { canvas } }: Page): Rectangle | undefined {
  const whole = canvas.canvas.getBoundingClientRect();
  const free = document.querySelector(".graph-canvas-panel")?.getBoundingClientRect() ?? whole;
  if (free.width === 0 || free.height === 0) return undefined;
  return { x: free.left - whole.left, y: free.top - whole.top, width: free.width, height: free.height };
}

function inGraph({ app: { canvas } }: Page, { x, y, width, height }: Rectangle): Rectangle {
  const { scale, offset } = canvas.ds;
  return {
    x: x / scale - (offset[0] ?? 0),
    y: y / scale - (offset[1] ?? 0),
    width: width / scale,
    height: height / scale,
  };
}
