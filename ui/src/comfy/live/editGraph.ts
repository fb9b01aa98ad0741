/** Changes to a graph of the page, by the same calls that ComfyUI makes when a user does them by hand. */

import type { Json, NodeId, Place, Point, Size } from "../../graph/graph";
import { subgraphInput, subgraphOutput } from "../../graph/graph";
import { freePlace, type Rectangle } from "../../graph/placement";
import { uiModes } from "../../graph/uiWorkflow";
import type { GraphEditor, NewNode } from "../bridge";
import type { LiveGraph, LiveNode, Page } from "./page";
import { graphAt, liveNode, nodesOfSubgraph, openGraph } from "./page";
import { demote, promoteInput, promoteOutput } from "./promotion";

/** With Nodes 2.0, narrower nodes grow to about this once they are drawn. */
const leastWidth = 240;
const groupPadding = 10;

export function createGraphEditor(page: Page): GraphEditor {
  let newest: { node: NodeId; selection: string } | undefined;

  const selectedIds = () => Object.keys(page.app.canvas.selected_nodes ?? {});
  const titleHeight = () => page.liteGraph.NODE_TITLE_HEIGHT;

  function outline(node: LiveNode): Rectangle {
    return { x: node.pos[0] ?? 0, y: (node.pos[1] ?? 0) - titleHeight(), ...wholeSize(node) };
  }

  function wholeSize({ size }: LiveNode): Size {
    return { width: Math.max(size[0] ?? 0, leastWidth), height: (size[1] ?? 0) + titleHeight() };
  }

  function anchorOf(graph: LiveGraph): LiveNode | undefined {
    const selected = selectedIds();
    const continued = newest?.selection === selected.join() ? liveNode(graph, newest.node) : undefined;
    return continued ?? liveNode(graph, selected[0] ?? "") ?? graph.nodes.at(-1);
  }

  function placeFor(graph: LiveGraph, node: LiveNode, near: NodeId | undefined): Point {
    const anchor = (near === undefined ? undefined : liveNode(graph, near)) ?? anchorOf(graph);
    const view = graph === openGraph(page) ? page.visibleArea() : undefined;
    const place = freePlace(wholeSize(node), {
      occupied: graph.nodes.map(outline),
      ...(anchor && { anchor: outline(anchor) }),
      ...(view && { view }),
    });
    return { x: place.x, y: place.y + titleHeight() };
  }

  function editorOf(place: Place | undefined): GraphEditor {
    const graph = () => graphAt(page, place);
    return {
      within: editorOf,
      addNode(type, { id, title, position, near }: NewNode = {}) {
        const node = page.liteGraph.createNode(type);
        if (!node) throw new Error(`ComfyUI cannot create a node of type ${type}.`);
        if (id !== undefined) node.id = typeof node.id === "number" ? Number(id) : id;
        if (title !== undefined) node.title = title;
        const at = position ?? placeFor(graph(), node, near);
        node.pos = [at.x, at.y];
        graph().add(node);
        if (position === undefined) newest = { node: String(node.id), selection: selectedIds().join() };
        return String(node.id);
      },
      removeNode(id) {
        graph().remove(nodeOf(graph(), id));
      },
      connect(from, to) {
        return isConnected(graph(), from, to);
      },
      disconnect({ node, input }) {
        if (node === subgraphOutput) graph().outputs?.[input]?.disconnect();
        else nodeOf(graph(), node).disconnectInput(input);
      },
      setWidget(id, name, value) {
        setWidget(page, nodeOf(graph(), id), name, value);
      },
      setTitle(id, title) {
        const node = nodeOf(graph(), id);
        node.title = title;
        if (node.isSubgraphNode?.() && node.subgraph) node.subgraph.name = title;
      },
      setMode(id, mode) {
        nodeOf(graph(), id).mode = uiModes[mode];
      },
      setColor(id, color) {
        const node = nodeOf(graph(), id);
        const option = color === undefined ? null : colorOption(page, color);
        node.setColorOption?.(option);
      },
      moveNode(id, { x, y }) {
        nodeOf(graph(), id).pos = [x, y];
      },
      addGroup(title, nodes, color) {
        const group = new page.liteGraph.LGraphGroup(title);
        const bounds = around(nodes.map((id) => outline(nodeOf(graph(), id))));
        const heading = titleHeight() + groupPadding;
        group.pos = [bounds.x - groupPadding, bounds.y - heading];
        group.size = [bounds.width + 2 * groupPadding, bounds.height + heading + groupPadding];
        if (color !== undefined) group.color = colorOption(page, color).groupcolor;
        graph().add(group);
      },
      placeGroup(index, { x, y, width, height }) {
        const group = graph().groups?.[index];
        if (!group) throw new Error(`There is no group ${index}.`);
        group.pos = [x, y];
        group.size = [width, height];
      },
      makeSubgraph(nodes, title) {
        const { node, subgraph } = graph().convertToSubgraph(new Set(nodes.map((id) => nodeOf(graph(), id))));
        if (title !== undefined) {
          node.title = title;
          subgraph.name = title;
        }
        return String(node.id);
      },
      expandSubgraph(id) {
        graph().unpackSubgraph(nodeOf(graph(), id));
      },
      promoteInput({ node, input }, name) {
        promoteInput(graph(), nodeOf(graph(), node), input, name);
        for (const each of nodesOfSubgraph(page, graph())) each.expandToFitContent?.();
      },
      promoteOutput: ({ node, output }, name) => promoteOutput(graph(), nodeOf(graph(), node), output, name),
      demote: (id, side, name) => demote(nodeOf(graph(), id), side, name),
    };
  }

  return editorOf(undefined);
}

function isConnected(
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

function setWidget(page: Page, node: LiveNode, name: string, value: Json): void {
  const widget = node.widgets?.find((each) => each.name === name);
  if (!widget) throw new Error(`Node ${node.id} has no widget ${name}.`);
  const canvas = page.app.canvas;
  if (widget.setValue) {
    widget.setValue(value, { e: undefined, node, canvas });
    return;
  }
  const previous = widget.value;
  widget.value = value;
  widget.callback?.(value, canvas, node);
  node.onWidgetChanged?.(name, value, previous, widget);
}

function colorOption(page: Page, color: string) {
  const menu = page.app.canvas.constructor.node_colors ?? {};
  const named = menu[color] ?? Object.values(menu).find((colors) => colors.color === color);
  return named ?? { color, bgcolor: color, groupcolor: color };
}

function around(boxes: readonly Rectangle[]): Rectangle {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

function nodeOf(graph: LiveGraph, id: NodeId): LiveNode {
  const node = liveNode(graph, id);
  if (!node) throw new Error(`There is no node ${id}.`);
  return node;
}
