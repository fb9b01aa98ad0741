/** What of a node fits another that takes its place. */

import type { GraphNode, GraphWidget, Json, LinkSource, LinkTarget } from "../../graph/graph";
import { acceptsType } from "../../graph/slotTypes";
import { widgetValue } from "../values/widgetValue";

export interface Replacement {
  inputs: { slot: number; from: LinkSource }[];
  outputs: { slot: number; to: LinkTarget }[];
  values: { widget: string; value: Json }[];
  /** Links and values of the old node that the new one has no place for, as `vae<4.VAE`, `IMAGE>5.images`, `cfg=7`. */
  lost: string[];
}

/** Slots fit by name and type, then by type alone in order; values by name, where the new widget takes them. */
export function replacementOf(
  old: GraphNode,
  blank: GraphNode,
  typeOf: (to: LinkTarget) => string,
): Replacement {
  const lost: string[] = [];
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
    lost.push(...output.linkedTo.map((to) => `${output.name}>${to.node}.${to.name}`));
    return [];
  });
  const values = old.widgets.flatMap((widget) => {
    const next = blank.widgets.find(({ name }) => name === widget.name);
    const value = next && fittingValue(next, widget.value);
    if (value !== undefined) return value === next?.value ? [] : [{ widget: widget.name, value }];
    if (widget.value !== widget.default) lost.push(`${widget.name}=${JSON.stringify(widget.value)}`);
    return [];
  });
  return { inputs, outputs, values, lost };
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
