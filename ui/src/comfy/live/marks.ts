/** Outlines on the canvas around what a turn has changed; nothing of it is in the saved workflow. */

import type { ChangeMarks, Comfy, MarkedNode } from "../bridge";
import type { LiveGraph, LiveNode, Page } from "./page";
import { graphAt, liveNode, openGraph } from "./page";

const colors = { added: "#3fb950", changed: "#e3a008" };
const distance = 6;
const lineWidth = 3;

export function createMarks(page: Page): Comfy["mark"] {
  const openWorkflow = () => page.app.extensionManager?.workflow?.activeWorkflow?.path;
  let shown: ({ turn: string | undefined; workflow: string | undefined } & ChangeMarks) | undefined;
  let isHooked = false;

  function hook(): void {
    if (isHooked) return;
    isHooked = true;
    const { canvas } = page.app;
    const others = canvas.onDrawForeground;
    canvas.onDrawForeground = (context, area) => {
      others?.call(canvas, context, area);
      if (shown && shown.workflow === openWorkflow()) draw(page, context, shown);
    };
    // The canvas' own listeners keep what they hear to themselves.
    const clickAway = ({ target }: PointerEvent) => {
      if (target === canvas.canvas) show(undefined);
    };
    canvas.canvas.ownerDocument.addEventListener("pointerdown", clickAway, { capture: true, passive: true });
    // An empty graph counts its nodes from 1 again.
    page.api.addEventListener("graphCleared", () => show(undefined));
  }

  function show(marks: typeof shown): void {
    if (!shown && !marks) return;
    shown = marks;
    openGraph(page).setDirtyCanvas(true, true);
  }

  return (turn, { added, changed }) => {
    hook();
    const workflow = openWorkflow();
    const isSameTurn = turn !== undefined && shown?.turn === turn && shown.workflow === workflow;
    const earlier = isSameTurn ? shown : undefined;
    show({
      turn,
      workflow,
      added: [...(earlier?.added ?? []), ...added],
      changed: [...(earlier?.changed ?? []), ...changed],
    });
  };
}

function draw(page: Page, context: CanvasRenderingContext2D, { added, changed }: ChangeMarks): void {
  const graph = openGraph(page);
  const isHere = ({ place }: MarkedNode) => {
    try {
      return graphAt(page, place) === graph;
    } catch {
      return false;
    }
  };
  const isNew = new Set(added.filter(isHere).map(({ node }) => node));
  context.save();
  context.lineWidth = lineWidth;
  for (const [marks, color] of [[changed, colors.changed] as const, [added, colors.added] as const])
    for (const mark of marks.filter(isHere)) {
      const node = liveNode(graph, mark.node);
      if (!node) continue;
      const isAddedToo = color === colors.changed && isNew.has(mark.node);
      context.strokeStyle = color;
      if (!isAddedToo) outline(context, node);
      context.strokeStyle = colors.added;
      for (const input of mark.inputs) drawLink(context, graph, node, input);
    }
  context.restore();
}

function outline(context: CanvasRenderingContext2D, { boundingRect = [] }: LiveNode): void {
  const [x = 0, y = 0, width = 0, height = 0] = Array.from(boundingRect);
  context.strokeRect(x - distance, y - distance, width + 2 * distance, height + 2 * distance);
}

function drawLink(context: CanvasRenderingContext2D, graph: LiveGraph, node: LiveNode, name: string): void {
  const slot = node.inputs?.findIndex((input) => input.name === name) ?? -1;
  const link = graph.getLink(node.inputs?.[slot]?.link);
  const source = link && liveNode(graph, String(link.origin_id));
  const from = source?.getOutputPos?.(link?.origin_slot ?? 0);
  const to = node.getInputPos?.(slot);
  if (!from || !to) return;
  const [x1 = 0, y1 = 0] = Array.from(from);
  const [x2 = 0, y2 = 0] = Array.from(to);
  const bend = Math.max(30, Math.hypot(x2 - x1, y2 - y1) / 4);
  context.beginPath();
  context.moveTo(x1, y1);
  context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
  context.stroke();
}
