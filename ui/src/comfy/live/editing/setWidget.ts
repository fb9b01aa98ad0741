/** Values put into widgets of the page, and widgets that a value brings forth. */

import type { Json } from "../../../graph/graph";
import { isObject } from "../../../shared/json";
import type { WidgetValues } from "../../bridge";
import { giveForGood } from "../files/fetchedLists";
import type { LiveNode, LiveWidget, Page } from "../page";
import { holdsValue, widgetName } from "../reading/widgets";
import { putValue } from "./putValue";

/** Throws where the node has no such widget and no way to load one. */
export function setWidget(page: Page, node: LiveNode, name: string, value: Json): void {
  const widget = widgetNamed(node, name);
  if (!widget) {
    if (isLoaded(node, name, value)) return;
    throw new Error(`Node ${node.id} has no widget ${name}.`);
  }
  const [width, height] = Array.from(node.size);
  giveForGood(page, node, widget, () => putValue(page, node, widget, value, name));
  if (node.size[0] !== width || node.size[1] !== height) node.graph?.setDirtyCanvas(true, true);
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
    widgets.find((widget, index) => widgetName(widget, index) === name) ??
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
    name: widgetName(widget, index),
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
