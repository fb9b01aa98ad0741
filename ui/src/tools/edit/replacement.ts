/** What of a node fits another that takes its place. */

import type { GraphNode, GraphWidget, Json, LinkSource, LinkTarget } from "../../graph/graph";
import { acceptsType } from "../../graph/slotTypes";
import { widgetValue } from "../values/widgetValue";
import { isList, savedByName } from "./savedNames";

export interface Replacement {
  inputs: { slot: number; from: LinkSource }[];
  outputs: { slot: number; to: LinkTarget }[];
  values: { widget: string; value: Json }[];
  /** What the new one has no place for: values, as `cfg=7`, links into it, and links to others. */
  lost: string[];
  lostSources: { input: string; from: LinkSource }[];
  lostTargets: { output: string; to: LinkTarget }[];
  /** What the new one has by another name. */
  renamed: { from: string; to: string }[];
}

/**
 * Slots fit by name and type, then by a name that has the other one in it, as `noise_seed` has `seed`, where that can
 * mean one slot only, then by type alone in order; values by name likewise, where the new widget takes them. Of a type
 * that is not installed only positions may be known: they fit where the new one takes as many, each of them. What is
 * `given` with the call is not lost.
 */
export function replacementOf(
  old: GraphNode,
  blank: GraphNode,
  typeOf: (to: LinkTarget) => string,
  given: { [widget: string]: Json } = {},
): Replacement {
  const lost: string[] = [];
  const lose: Lose = (name, value) => {
    const isGiven = typeof name === "string" ? name in given : Object.values(given).includes(value);
    if (!isGiven) lost.push(`${typeof name === "string" ? name : `#${name}`}=${JSON.stringify(value)}`);
  };
  const lostSources: Replacement["lostSources"] = [];
  const lostTargets: Replacement["lostTargets"] = [];
  const renamed = new Map<string, string>();
  const inputs = paired(
    old.inputs.filter(({ linkedFrom }) => linkedFrom),
    blank.inputs,
    (input, slot) => acceptsType(slot.type, input.type),
    (input, slot) => !input.isWidget && !slot.isWidget,
  ).flatMap(([input, slot]) => {
    const from = input.linkedFrom;
    if (!from) return [];
    const fresh = slot === undefined ? undefined : blank.inputs[slot];
    if (slot !== undefined && fresh) {
      if (input.isWidget && fresh.name !== input.name) renamed.set(input.name, fresh.name);
      return [{ slot, from }];
    }
    lostSources.push({ input: input.name, from });
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
  const values = [...savedValues(old, blank, lose), ...namedValues(old, blank, lose, renamed)];
  return {
    inputs,
    outputs,
    values,
    lost,
    lostSources,
    lostTargets,
    renamed: [...renamed].map(([from, to]) => ({ from, to })),
  };
}

/** A value without a place, by its widget's name or by its position. */
type Lose = (name: string | number, value: Json) => void;

function namedValues(
  old: GraphNode,
  blank: GraphNode,
  lose: Lose,
  renamed: Map<string, string>,
): Replacement["values"] {
  const others = paired(
    old.widgets,
    blank.widgets,
    (widget, next) => widget.kind === next.kind && fittingValue(next, widget.value) !== undefined,
    () => false,
  );
  return others.flatMap(([widget, index]) => {
    const next = blank.widgets.find(({ name }) => name === widget.name) ?? blank.widgets[index ?? -1];
    const value = next && fittingValue(next, widget.value);
    if (next && value !== undefined) {
      if (value === next.value) return [];
      if (next.name !== widget.name) renamed.set(widget.name, next.name);
      return [{ widget: next.name, value }];
    }
    if (widget.value !== widget.default) lose(widget.name, widget.value);
    return [];
  });
}

function savedValues(old: GraphNode, blank: GraphNode, lose: Lose): Replacement["values"] {
  const saved = savedByName(old) ?? old.savedValues ?? [];
  if (!isList(saved)) return valuesByName(saved, blank, lose);
  const values = blank.widgets.flatMap((widget, index) => {
    const value = fittingValue(widget, saved[index] ?? null);
    return value === undefined ? [] : [{ widget: widget.name, value }];
  });
  if (saved.length === values.length && values.length === blank.widgets.length) return values;
  for (const [index, value] of saved.entries()) lose(index, value);
  return [];
}

function valuesByName(
  saved: Readonly<Record<string, Json>>,
  blank: GraphNode,
  lose: Lose,
): Replacement["values"] {
  return Object.entries(saved).flatMap(([name, held]) => {
    const next = blank.widgets.find((widget) => widget.name === name);
    const value = next && fittingValue(next, held);
    if (value !== undefined) return [{ widget: name, value }];
    lose(name, held);
    return [];
  });
}

interface Slot {
  name: string;
  /** Numbers of a growing row begin anywhere: only the order tells what takes whose part. */
  row?: string;
}

/** Each old slot with the index of the new one that takes its part; every new slot once. */
function paired<Old extends Slot, New extends Slot>(
  old: readonly Old[],
  slots: readonly New[],
  fits: (old: Old, slot: New) => boolean,
  fitsUnderAnyName: (old: Old, slot: New) => boolean,
): [Old, number | undefined][] {
  const places = new Map<Old, number>();
  const taken = new Set<number>();
  const isFree = (each: Old, index: number) => {
    const slot = slots[index];
    return slot !== undefined && !taken.has(index) && fits(each, slot);
  };
  const placeThose = (find: (each: Old) => number | undefined) => {
    for (const each of old.filter((each) => !places.has(each))) {
      const index = find(each);
      if (index === undefined || index < 0) continue;
      places.set(each, index);
      taken.add(index);
    }
  };
  placeThose((each) => slots.findIndex(({ name }, index) => name === each.name && isFree(each, index)));
  const named = new Set(old.map(({ name }) => name));
  const likely = new Map(
    old.map((each) => [
      each,
      slots.flatMap(({ name, row }, index) =>
        row === undefined &&
        each.row === undefined &&
        !places.has(each) &&
        !named.has(name) &&
        isFree(each, index) &&
        isNameIn(each.name, name)
          ? index
          : [],
      ),
    ]),
  );
  const counts = Map.groupBy([...likely.values()].flat(), (index) => index);
  placeThose((each) => {
    const [only, ...others] = likely.get(each) ?? [];
    return only !== undefined && others.length === 0 && counts.get(only)?.length === 1 ? only : undefined;
  });
  placeThose((each) => slots.findIndex((slot, index) => isFree(each, index) && fitsUnderAnyName(each, slot)));
  return old.map((each) => [each, places.get(each)]);
}

/** Whether the words of one of two names are, one after the other, among those of the other one. */
function isNameIn(one: string, other: string): boolean {
  const [some, all] = [one, other].map(
    (name) =>
      ` ${name
        .toLowerCase()
        .split(/[^a-z0-9]+/)
        .join(" ")} `,
  );
  return some !== undefined && all !== undefined && (all.includes(some) || some.includes(all));
}

function fittingValue(widget: GraphWidget, value: Json): Json | undefined {
  try {
    return widgetValue(widget, value);
  } catch {
    return undefined;
  }
}
