/** What of a node fits another that takes its place. */

import type { GraphNode, GraphWidget, Json, LinkSource, LinkTarget, SavedValues } from "../../graph/graph";
import { acceptsType } from "../../graph/slotTypes";
import { widgetValue } from "../values/widgetValue";

export interface Replacement {
  inputs: { slot: number; from: LinkSource }[];
  outputs: { slot: number; to: LinkTarget }[];
  values: { widget: string; value: Json }[];
  /** What the new one has no place for: values and links into it, as `cfg=7` and `vae<4.VAE`, and links to others. */
  lost: string[];
  lostTargets: { output: string; to: LinkTarget }[];
}

/**
 * Slots fit by name and type, then by type alone in order; values by name, where the new widget takes them. Of a type
 * that is not installed only positions are known, unless it saves its values by name: they fit where the new one takes as many,
 * each of them.
 */
export function replacementOf(
  old: GraphNode,
  blank: GraphNode,
  typeOf: (to: LinkTarget) => string,
): Replacement {
  const lost: string[] = [];
  const lostTargets: Replacement["lostTargets"] = [];
  const inputs = paired(
    old.inputs.filter(({ linkedFrom }) => linkedFrom),
    blank.inputs,
    (input, slot) => acceptsType(slot.type, input.type),
    (input, slot) => !input.isWidget && !slot.isWidget,
  ).flatMap(([input, slot]) => {
    const from = input.linkedFrom;
    if (!from) return [];
    if (slot !== undefined) return [{ slot, from }];
    lost.push(`${input.name}<${from.node}.${from.name}`);
    return [];
  });
  const outputs = paired(
    old.outputs.filter(({ linkedTo }) => linkedTo.length > 0),
    blank.outputs,
    (output, slot) => output.linkedTo.every((to) => acceptsType(typeOf(to), slot.type)),
    () => true,
  ).flatMap(([output, slot]) => {
    if (slot !== undefined) return output.linkedTo.map((to) => ({ slot, to }));
    lostTargets.push(...output.linkedTo.map((to) => ({ output: output.name, to })));
    return [];
  });
  const values = [...savedValues(old, blank, lost), ...namedValues(old, blank, lost)];
  return { inputs, outputs, values, lost, lostTargets };
}

function namedValues(old: GraphNode, blank: GraphNode, lost: string[]): Replacement["values"] {
  return old.widgets.flatMap((widget) => {
    const next = blank.widgets.find(({ name }) => name === widget.name);
    const value = next && fittingValue(next, widget.value);
    if (value !== undefined) return value === next?.value ? [] : [{ widget: widget.name, value }];
    if (widget.value !== widget.default) lost.push(`${widget.name}=${JSON.stringify(widget.value)}`);
    return [];
  });
}

function savedValues(old: GraphNode, blank: GraphNode, lost: string[]): Replacement["values"] {
  const saved = old.savedValues ?? [];
  if (!isList(saved)) return valuesByName(saved, blank, lost);
  const values = blank.widgets.flatMap((widget, index) => {
    const value = fittingValue(widget, saved[index] ?? null);
    return value === undefined ? [] : [{ widget: widget.name, value }];
  });
  if (saved.length === values.length && values.length === blank.widgets.length) return values;
  lost.push(...saved.map((value, index) => `#${index}=${JSON.stringify(value)}`));
  return [];
}

function valuesByName(
  saved: Readonly<Record<string, Json>>,
  blank: GraphNode,
  lost: string[],
): Replacement["values"] {
  return Object.entries(saved).flatMap(([name, held]) => {
    const next = blank.widgets.find((widget) => widget.name === name);
    const value = next && fittingValue(next, held);
    if (value !== undefined) return [{ widget: name, value }];
    lost.push(`${name}=${JSON.stringify(held)}`);
    return [];
  });
}

function isList(values: SavedValues): values is readonly Json[] {
  return Array.isArray(values);
}

/** Each old slot with the index of the new one that takes its part; every new slot once. */
function paired<Old extends { name: string }, New extends { name: string }>(
  old: readonly Old[],
  slots: readonly New[],
  fits: (old: Old, slot: New) => boolean,
  fitsUnderAnotherName: (old: Old, slot: New) => boolean,
): [Old, number | undefined][] {
  const taken = new Set<number>();
  const take = (index: number) => {
    if (index >= 0) taken.add(index);
    return index >= 0 ? index : undefined;
  };
  const byName = old.map((each) =>
    take(slots.findIndex((slot, index) => !taken.has(index) && slot.name === each.name && fits(each, slot))),
  );
  return old.map((each, position) => [
    each,
    byName[position] ??
      take(
        slots.findIndex(
          (slot, index) => !taken.has(index) && fits(each, slot) && fitsUnderAnotherName(each, slot),
        ),
      ),
  ]);
}

function fittingValue(widget: GraphWidget, value: Json): Json | undefined {
  try {
    return widgetValue(widget, value);
  } catch {
    return undefined;
  }
}
