/**
 * Widgets of packs that write while they tell their value for a prompt: a seed of -1, which stands for another one with
 * each run, becomes a number, which a button then has in its name, and a text with choices in it one that was drawn. That
 * is for the run alone.
 */

import type { LiveGraph, LiveNode, LiveWidget } from "../page";
import { replaceMethod } from "./replaceMethod";

type Held = Pick<LiveWidget, "name" | "value">;

interface Written {
  widget: LiveWidget;
  before: Held;
  after: Held;
}

/** Listens to all widgets of the graphs; what it returns ends that and takes back what they wrote, where it still stands. */
export function noteWrittenValues(graphs: readonly LiveGraph[]): () => void {
  const written: Written[] = [];
  const stop = graphs.flatMap(({ nodes }) =>
    nodes.flatMap((node) =>
      (node.widgets ?? []).flatMap((widget) => {
        const original = widget.serializeValue;
        return original ? [listen(node, widget, original, written)] : [];
      }),
    ),
  );
  return () => {
    for (const each of stop) each();
    for (const { widget, before, after } of written.toReversed()) {
      if (before.value !== after.value && widget.value === after.value) widget.value = before.value;
      if (before.name !== after.name && widget.name === after.name) widget.name = before.name;
    }
  };
}

function listen(
  node: LiveNode,
  widget: LiveWidget,
  original: NonNullable<LiveWidget["serializeValue"]>,
  written: Written[],
): () => void {
  return replaceMethod(widget, "serializeValue", function (this: unknown, ...given: readonly unknown[]) {
    const held = (node.widgets ?? []).map((each) => ({ widget: each, before: heldBy(each) }));
    const told = original.apply(this as LiveWidget, [...given]);
    const note = () => {
      for (const { widget, before } of held)
        if (widget.value !== before.value || widget.name !== before.name)
          written.push({ widget, before, after: heldBy(widget) });
    };
    if (!(told instanceof Promise)) {
      note();
      return told;
    }
    return told.finally(note);
  });
}

const heldBy = ({ name, value }: LiveWidget): Held => ({ name, value });
