/** Changes to the graph on the canvas, by the same calls that ComfyUI makes when a user does them by hand. */

import type { Json, NodeId, Point, Size } from "../../graph/graph";
import { freePlace, type Rectangle } from "../../graph/placement";
import type { GraphEditor } from "../bridge";
import type { LiveGraph, LiveNode, Page } from "./page";
import { liveNode, openGraph } from "./page";

/** With Nodes 2.0, narrower nodes grow to about this once they are drawn. */
const leastWidth = 240;

export function createGraphEditor(page: Page): GraphEditor {
  let newest: { node: NodeId; selection: string } | undefined;

  const selectedIds = () => Object.keys(page.app.canvas.selected_nodes ?? {});

  function anchorOf(graph: LiveGraph): LiveNode | undefined {
    const selected = selectedIds();
    const continued = newest?.selection === selected.join() ? liveNode(graph, newest.node) : undefined;
    return continued ?? liveNode(graph, selected[0] ?? "") ?? graph.nodes.at(-1);
  }

  function placeFor(graph: LiveGraph, node: LiveNode): Point {
    const titleHeight = page.liteGraph.NODE_TITLE_HEIGHT;
    const sizeOf = ({ size }: LiveNode): Size => ({
      width: Math.max(size[0] ?? 0, leastWidth),
      height: (size[1] ?? 0) + titleHeight,
    });
    const outline = (each: LiveNode): Rectangle => ({
      x: each.pos[0] ?? 0,
      y: (each.pos[1] ?? 0) - titleHeight,
      ...sizeOf(each),
    });
    const anchor = anchorOf(graph);
    const view = page.visibleArea();
    const place = freePlace(sizeOf(node), {
      occupied: graph.nodes.map(outline),
      ...(anchor && { anchor: outline(anchor) }),
      ...(view && { view }),
    });
    return { x: place.x, y: place.y + titleHeight };
  }

  return {
    addNode(type, { title, position } = {}) {
      const graph = openGraph(page);
      const node = page.liteGraph.createNode(type);
      if (!node) throw new Error(`ComfyUI cannot create a node of type ${type}.`);
      if (title !== undefined) node.title = title;
      const place = position ?? placeFor(graph, node);
      node.pos = [place.x, place.y];
      graph.add(node);
      newest = { node: String(node.id), selection: selectedIds().join() };
      return String(node.id);
    },
    removeNode(id) {
      const graph = openGraph(page);
      graph.remove(nodeOf(graph, id));
    },
    connect(from, to) {
      const graph = openGraph(page);
      return Boolean(nodeOf(graph, from.node).connect(from.output, nodeOf(graph, to.node), to.input));
    },
    disconnect(input) {
      nodeOf(openGraph(page), input.node).disconnectInput(input.input);
    },
    setWidget(id, name, value) {
      setWidget(page, nodeOf(openGraph(page), id), name, value);
    },
  };
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

function nodeOf(graph: LiveGraph, id: NodeId): LiveNode {
  const node = liveNode(graph, id);
  if (!node) throw new Error(`There is no node ${id}.`);
  return node;
}
