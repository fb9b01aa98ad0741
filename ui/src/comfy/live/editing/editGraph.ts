/** Changes to a graph of the page, by the same calls that ComfyUI makes when a user does them by hand. */

import { frameAround } from "../../../graph/frames";
import type { NodeId, Place, Point, Rectangle } from "../../../graph/graph";
import { subgraphInput, subgraphOutput } from "../../../graph/graph";
import { sizeAs } from "../../../graph/keptSize";
import { bounds, outline } from "../../../graph/placement";
import { rectangle, uiModes } from "../../../graph/uiWorkflow";
import type { GraphEditor, NewNode } from "../../bridge";
import type { LiveCanvas, LiveEdge, LiveGraph, LiveGroup, LiveNode, Page } from "../page";
import { graphAt, liveNode, nodesOfSubgraph, openGraph } from "../page";
import { drawnSize, leastSize } from "../reading/drawnSize";
import { withMode } from "../reading/nodesOfMode";
import { demote, promoteInput, promoteOutput } from "../reading/promotion";
import { keepChanged } from "../savedAsLoaded";
import { newNode } from "./blankNode";
import { expandSubgraph } from "./expandSubgraph";
import { setWidget } from "./setWidget";
import { withoutMovingUp } from "./withoutMovingUp";

/** Between the nodes of a subgraph and its edges. */
const edgeGap = 80;

export function createGraphEditor(page: Page): GraphEditor {
  const wholeNode = (node: LiveNode): Rectangle =>
    outline({ position: rectangle(node.pos, node.size), size: drawnSize(page, node) });

  const looks = new Map<string, Look>();

  function editorOf(place: Place | undefined): GraphEditor {
    const inPlace = () => graphAt(page, place);
    /** Drawn anew as a whole, which takes long where there are many links: what they join may come to lie elsewhere. */
    const graph = () => {
      const at = inPlace();
      at.setDirtyCanvas(true, true);
      return at;
    };
    return {
      within: editorOf,
      addNode(type, { id, title, position, size, keepsLook = false }: NewNode = {}) {
        const node = newNode(page, type);
        if (!node) throw new Error(`ComfyUI cannot create a node of type ${type}.`);
        if (id !== undefined) node.id = typeof node.id === "number" ? Number(id) : id;
        if (title !== undefined) node.title = title;
        node.pos = [position?.x ?? 0, position?.y ?? 0];
        addAsMade(graph(), node);
        if (size) node.size = [size.width, size.height];
        const look = keepsLook ? looks.get(`${graph().id} ${id}`) : undefined;
        if (look) putOn(node, look);
        return String(node.id);
      },
      removeNode(id) {
        const node = nodeOf(graph(), id);
        const isInstalled = Object.hasOwn(page.liteGraph.registered_node_types, node.type);
        const [width = 0, height = 0] = Array.from(node.size);
        const isGrown = !isInstalled && height <= (leastSize(node)[1] ?? 0);
        looks.set(`${graph().id} ${id}`, {
          size: [width, isGrown ? 0 : height],
          isCollapsed: isCollapsed(node),
        });
        graph().remove(node);
      },
      connect(from, to) {
        return drawLink(graph(), from, to);
      },
      disconnect({ node, input }) {
        if (node === subgraphOutput) graph().outputs?.[input]?.disconnect();
        else nodeOf(graph(), node).disconnectInput(input);
      },
      makeRoom({ node: id, input }) {
        const node = nodeOf(graph(), id);
        withoutMovingUp([node], () => node.disconnectInput(input));
      },
      setWidget(id, name, value) {
        setWidget(page, nodeOf(inPlace(), id), name, value);
      },
      setTitle(id, title) {
        const node = nodeOf(inPlace(), id);
        node.title = title;
        if (node.isSubgraphNode?.() && node.subgraph) node.subgraph.name = title;
        keepChanged(node);
      },
      setMode(id, mode) {
        for (const node of withMode(page, nodeOf(graph(), id))) {
          node.mode = uiModes[mode];
          keepChanged(node);
        }
      },
      setColor(id, color) {
        const node = nodeOf(inPlace(), id);
        const option = color === undefined ? null : colorOption(page, color);
        node.setColorOption?.(option);
        keepChanged(node);
      },
      moveNode(id, place) {
        moveTo(page, nodeOf(graph(), id), place);
      },
      addGroup(title, nodes, color, bounds) {
        const group = new page.liteGraph.LGraphGroup(title);
        const { x, y, width, height } =
          bounds ?? frameAround(nodes.map((id) => wholeNode(nodeOf(graph(), id))));
        group.pos = [x, y];
        group.size = [width, height];
        if (color !== undefined) group.color = colorOption(page, color).groupcolor;
        graph().add(group);
      },
      placeGroup(index, { x, y, width, height }) {
        const group = groupOf(graph(), index);
        group.pos = [x, y];
        group.size = [width, height];
      },
      clearEdges() {
        const { nodes, inputNode, outputNode } = graph();
        const boxes = nodes.map(wholeNode);
        if (boxes.length === 0) return;
        const { x: left, width: across } = bounds(boxes);
        const right = left + across;
        const boxOf = (edge: LiveEdge) => rectangle(edge.pos, edge.size);
        if (inputNode) {
          const { x, y, width } = boxOf(inputNode);
          if (x + width > left) inputNode.pos = [left - edgeGap - width, y];
        }
        if (outputNode) {
          const { x, y } = boxOf(outputNode);
          if (x < right) outputNode.pos = [right + edgeGap, y];
        }
      },
      removeGroup(index) {
        graph().remove(groupOf(graph(), index));
      },
      colorGroup(index, color) {
        const group = groupOf(graph(), index);
        group.color =
          color === undefined
            ? new page.liteGraph.LGraphGroup(group.title).color
            : colorOption(page, color).groupcolor;
      },
      titleGroup(index, title) {
        groupOf(graph(), index).title = title;
      },
      makeSubgraph(nodes, title) {
        const { node, subgraph } = graph().convertToSubgraph(new Set(nodes.map((id) => nodeOf(graph(), id))));
        if (title !== undefined) {
          node.title = title;
          subgraph.name = title;
        }
        return String(node.id);
      },
      expandSubgraph(id, by) {
        const move = (node: LiveNode, place: Point) => moveTo(page, node, place);
        return withSelectionKept(page.app.canvas, () =>
          expandSubgraph(graph(), nodeOf(graph(), id), { by, move }),
        );
      },
      promoteInput({ node, input }, name) {
        const inner = nodeOf(graph(), node);
        const widget = inner.inputs?.[input]?.widget?.name;
        const held = inner.widgets?.find((each) => widget !== undefined && each.name === widget)?.value;
        promoteInput(graph(), inner, input, name);
        for (const each of nodesOfSubgraph(page, graph())) {
          each.expandToFitContent?.();
          // A page of 1.49 keeps values by the id of their node, also of one that is gone.
          const shown = each.widgets?.find((one) => one.name === name);
          if (shown && held !== undefined && shown.value !== held) shown.value = held;
        }
      },
      promoteOutput: ({ node, output }, name) => promoteOutput(graph(), nodeOf(graph(), node), output, name),
      demote: (id, side, name) => demote(nodeOf(graph(), id), side, name),
    };
  }

  return editorOf(undefined);
}

/** Whether the page has taken the link. */
export function drawLink(
  graph: LiveGraph,
  from: { node: NodeId; output: number },
  to: { node: NodeId; input: number },
): boolean {
  if (from.node === subgraphInput) {
    const target = nodeOf(graph, to.node);
    const input = target.inputs?.[to.input];
    return Boolean(input && graph.inputs?.[from.output]?.connect(input, target));
  }
  const source = nodeOf(graph, from.node);
  if (to.node === subgraphOutput) {
    const output = source.outputs?.[from.output];
    return Boolean(output && graph.outputs?.[to.input]?.connect(output, source));
  }
  return Boolean(source.connect(from.output, nodeOf(graph, to.node), to.input));
}

function moveTo(page: Page, node: LiveNode, { x, y }: Point): void {
  node.pos = [x, y];
  if (node.graph === openGraph(page)) moveElement(page, node, { x, y });
  keepChanged(node);
}

/** The page selects what it has made, and draws a bar over it; what is selected is the person's own. */
function withSelectionKept<Result>(canvas: LiveCanvas, act: () => Result): Result {
  const selected = [...(canvas.selectedItems ?? [])];
  const result = act();
  const { nodes = [], groups = [] } = canvas.graph ?? {};
  const left = selected.filter((item) => [...nodes, ...groups].includes(item));
  canvas.deselectAll?.();
  if (left.length > 0) canvas.selectItems?.(left);
  return result;
}

/** On 1.32, nodes that are elements stay where they are drawn, and take their nodes back there once they change. */
function moveElement({ app: { canvas }, liteGraph }: Page, node: LiveNode, newPos: Point): void {
  if (liteGraph.vueNodesMode) canvas.repositionNodesVueMode?.([{ node, newPos }]);
}

interface Look {
  size: number[];
  isCollapsed: boolean;
}

function isCollapsed({ flags }: LiveNode): boolean {
  return flags?.collapsed === true;
}

function putOn(node: LiveNode, { size, isCollapsed }: Look): void {
  const [[oldWidth = 0, oldHeight = 0], [width = 0, height = 0]] = [size, Array.from(node.size)];
  const kept = sizeAs(
    { width: oldWidth, height: oldHeight },
    { width, height },
    leastSize(node)[1] ?? height,
  );
  node.size = [kept.width, kept.height];
  if (isCollapsed && node.flags) node.flags.collapsed = true;
}

function colorOption(page: Page, color: string) {
  const menu = page.app.canvas.constructor.node_colors ?? {};
  const named = menu[color] ?? Object.values(menu).find((colors) => colors.color === color);
  return named ?? { color, bgcolor: color, groupcolor: color };
}

function groupOf({ groups }: LiveGraph, index: number): LiveGroup {
  const group = groups?.[index];
  if (!group) throw new Error(`There is no group ${index}.`);
  return group;
}

function nodeOf(graph: LiveGraph, id: NodeId): LiveNode {
  const node = liveNode(graph, id);
  if (!node) throw new Error(`There is no node ${id}.`);
  return node;
}

/** On the frontends around 1.47 a node takes over the values of a removed one that had its id. */
function addAsMade(graph: LiveGraph, node: LiveNode): void {
  const made = (node.widgets ?? []).map((widget) => ({ widget, value: widget.value }));
  graph.add(node);
  for (const { widget, value } of made)
    if (typeof value !== "object" && widget.value !== value) widget.value = value;
}
