/** Outlines on the canvas around what a turn has changed; nothing of it is in the saved workflow. */

import type { ChangeMarks, Comfy, MarkedNode } from "../bridge";
import type { LiveNode, Page } from "./page";
import { graphAt, liveNode, openGraph } from "./page";

const colors = { added: "#3fb950", changed: "#e3a008" };
const distance = 6;
const lineWidth = 3;
const slotRadius = 9;
/** In milliseconds: long enough to be found, and gone when the person works on. */
const shownFor = 20_000;

type Shown = { turn: string | undefined; workflow: string | undefined } & ChangeMarks;

export function createMarks(page: Page): Comfy["mark"] {
  const openWorkflow = () => page.app.extensionManager?.workflow?.activeWorkflow?.path;
  let shown: Shown | undefined;
  let isHooked = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Elements of Nodes 2.0 that have an outline. */
  let outlined: HTMLElement[] = [];

  function hook(): void {
    if (isHooked) return;
    isHooked = true;
    const { canvas } = page.app;
    const { ownerDocument } = canvas.canvas;
    const others = canvas.onDrawForeground;
    canvas.onDrawForeground = (context, area) => {
      others?.call(canvas, context, area);
      if (shown && shown.workflow === openWorkflow()) draw(page, context, shown, outlined);
      else takeOutlines();
    };
    // The canvas' own listeners keep what they hear to themselves.
    const options = { capture: true, passive: true };
    const clickAway = ({ target }: Event) => {
      if (target === canvas.canvas || (target as Element).closest?.("[data-node-id]")) show(undefined);
    };
    ownerDocument.addEventListener("pointerdown", clickAway, options);
    // An empty graph counts its nodes from 1 again.
    page.api.addEventListener("graphCleared", () => show(undefined));
  }

  function takeOutlines(): void {
    for (const { style } of outlined) style.outline = "";
    outlined = [];
  }

  function show(marks: Shown | undefined): void {
    if (!shown && !marks) return;
    clearTimeout(timer);
    takeOutlines();
    shown = marks;
    if (marks) timer = setTimeout(() => show(undefined), shownFor);
    openGraph(page).setDirtyCanvas(true);
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

function draw(
  page: Page,
  context: CanvasRenderingContext2D,
  { added, changed }: ChangeMarks,
  outlined: HTMLElement[],
): void {
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
      if (!isAddedToo) outline(page, context, node, color, outlined);
      context.strokeStyle = colors.added;
      for (const input of mark.inputs) ringSlot(context, node, input);
    }
  context.restore();
}

function outline(
  { liteGraph, app }: Page,
  context: CanvasRenderingContext2D,
  { id, boundingRect = [] }: LiveNode,
  color: string,
  outlined: HTMLElement[],
): void {
  const element = liteGraph.vueNodesMode
    ? app.canvas.canvas.ownerDocument.querySelector<HTMLElement>(`[data-node-id="${id}"]`)
    : undefined;
  if (element) {
    if (!outlined.includes(element)) outlined.push(element);
    element.style.outline = `${lineWidth}px solid ${color}`;
    return;
  }
  const [x = 0, y = 0, width = 0, height = 0] = Array.from(boundingRect);
  context.strokeRect(x - distance, y - distance, width + 2 * distance, height + 2 * distance);
}

/** A link keeps its own color, which tells what runs through it: only where it ends there is a ring. */
function ringSlot(context: CanvasRenderingContext2D, node: LiveNode, name: string): void {
  const slot = node.inputs?.findIndex((input) => input.name === name) ?? -1;
  const place = slot < 0 ? undefined : node.getInputPos?.(slot);
  if (!place) return;
  context.beginPath();
  context.arc(place[0] ?? 0, place[1] ?? 0, slotRadius, 0, 2 * Math.PI);
  context.stroke();
}
