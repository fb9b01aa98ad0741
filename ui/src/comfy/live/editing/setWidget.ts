/** Values put into widgets of the page, and widgets that a value brings forth. */

import type { Json } from "../../../graph/graph";
import { isObject } from "../../../shared/json";
import type { WidgetValues } from "../../bridge";
import { inputNamed } from "../../inputsInForce";
import { giveForGood } from "../files/fetchedLists";
import { type LiveNode, type LiveWidget, liveNode, nodesOfSubgraph, type Page } from "../page";
import { readDefinition } from "../reading/definition";
import { holdsValue, widgetName } from "../reading/widgets";
import { putValue } from "./putValue";

/** Throws where the node has no such widget and no way to load one. */
export function setWidget(page: Page, node: LiveNode, name: string, value: Json): void {
  const widget = widgetNamed(node, name);
  if (!widget) {
    if (isLoaded(node, name, value)) return;
    throw new Error(`Node ${node.id} has no widget ${name}.`);
  }
  const choosing = choosersInside(node, widget.name);
  if (choosing.length > 0) expectOneInstance(page, node, name);
  const [width, height] = Array.from(node.size);
  giveForGood(page, node, widget, () => putValue(page, node, widget, value, name));
  for (const inner of choosing) setWidget(page, inner.node, inner.widget, value);
  if (node.size[0] !== width || node.size[1] !== height) node.graph?.setDirtyCanvas(true, true);
}

/**
 * The nodes inside of a subgraph whose choice of inputs this widget is. The page keeps the value on the subgraph's node and
 * gives the node inside no other inputs for it, so that a run would lack them.
 */
function choosersInside({ subgraph }: LiveNode, name: string): { node: LiveNode; widget: string }[] {
  const port = subgraph?.inputs?.find((input) => input.name === name);
  return (port?.linkIds ?? []).flatMap((id) => {
    const link = subgraph?.getLink(id);
    const node = subgraph && link && liveNode(subgraph, String(link.target_id));
    const widget = node?.inputs?.[link?.target_slot ?? 0]?.widget?.name;
    if (!node || widget === undefined) return [];
    if (node.subgraph) return choosersInside(node, widget);
    const definition = readDefinition(node.type, "", node.constructor.nodeData);
    return definition && inputNamed(definition, widget)?.options ? [{ node, widget }] : [];
  });
}

/** Throws where several nodes share the inside. */
function expectOneInstance(page: Page, { subgraph }: LiveNode, name: string): void {
  const count = subgraph ? nodesOfSubgraph(page, subgraph).length : 1;
  if (count > 1)
    throw new Error(
      `${name} decides which inputs a node inside the subgraph has, and ${count} nodes share that subgraph, so all of them must have the same choice.`,
    );
}

/** Each as soon as the node has a widget for it. */
export function setWidgets(page: Page, node: LiveNode, values: WidgetValues): void {
  let left = values;
  while (left.length > 0) {
    const next = left.find(([name]) => widgetNamed(node, name)) ?? left[0];
    if (!next) return;
    try {
      setWidget(page, node, ...next);
    } catch {
      if (!widgetNamed(node, next[0])) return;
    }
    left = left.filter((each) => each !== next);
  }
}

function valueWidgets(node: LiveNode): LiveWidget[] {
  return (node.widgets ?? []).filter((widget) => holdsValue(node, widget));
}

function widgetNamed(node: LiveNode, name: string): LiveWidget | undefined {
  const widgets = valueWidgets(node);
  return (
    widgets.find((widget, index) => widgetName(node, widget, index) === name) ??
    widgets.find((widget) => widget.name === name && !goByLabel.has(widget))
  );
}

/**
 * Some nodes have one widget for each object that they save: the value is loaded with the others, as from a file, and what
 * is left out of it is as the node has it when it is told nothing. The others stay what they were, by their names too:
 * some nodes go on counting where they load.
 */
function isLoaded(node: LiveNode, name: string, value: Json): boolean {
  const saved = node.serialize?.();
  if (!isObject(value) || !Array.isArray(saved?.widgets_values)) return false;
  const before = valueWidgets(node).map((widget, index) => ({
    name: widgetName(node, widget, index),
    value: textOf(widget),
  }));
  node.configure?.({ ...saved, widgets_values: [...saved.widgets_values, value] });
  const after = valueWidgets(node);
  const index = after.findIndex((widget, at) => textOf(widget) !== before[at]?.value);
  const [widget] = after.splice(index, 1);
  if (index < 0 || !widget || after.map(textOf).join() !== before.map((each) => each.value).join()) {
    node.configure?.(saved);
    return false;
  }
  for (const [at, each] of after.entries()) call(each, before[at]?.name ?? each.name);
  call(widget, name);
  widget.value = undefined;
  widget.value = isObject(widget.value) ? { ...widget.value, ...value } : value;
  return true;
}

/** Whose own name is no longer the one that they are known by. */
const goByLabel = new WeakSet<LiveWidget>();

/** A page of 1.58 does not give a widget the name of another one that is gone: the label is what it goes by there. */
function call(widget: LiveWidget, name: string): void {
  widget.name = name;
  if (widget.name === name) return;
  widget.label = name;
  goByLabel.add(widget);
}

function textOf({ value }: LiveWidget): string {
  return JSON.stringify(value) ?? "";
}
