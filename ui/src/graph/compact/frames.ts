/** The slots and widgets of a node that is built: of its type, of the node that it was, and what the lines tell. */

import { type Json, type NodeId, subgraphInput } from "../graph";
import type { NodeShape, ShapeWidget } from "../nodeShape";
import type { KeptNode } from "./boxes";
import { usualWidgets } from "./nodeValues";
import type { CompactNode } from "./workflow";

/** Whether a name is none, but a place as `#2`. */
export function isPlace(name: string): boolean {
  return /^#\d+$/.test(name);
}

/** What the lines say of its values, with what a primitive or, inside a subgraph, its instance gives to these widgets. */
export function told(
  { values, links }: CompactNode,
  given: ReadonlyMap<string, Json> | undefined,
  primitives: ReadonlyMap<NodeId, Json> | undefined,
  widgets?: ReadonlySet<string>,
): ReadonlyMap<string, Json> {
  const all = new Map<string, Json>();
  for (const { input, source } of links) {
    if (widgets && !widgets.has(input)) continue;
    const value =
      source.node === subgraphInput ? given?.get(source.slot ?? input) : primitives?.get(source.node);
    if (value !== undefined) all.set(input, value);
  }
  for (const { name, value } of values) all.set(name, value);
  return all;
}

/** Undefined where nobody knows which there are. */
export function widgetNames(
  shape: Pick<NodeShape, "widgets"> | undefined,
  was: KeptNode | undefined,
): ReadonlySet<string> | undefined {
  return shape && new Set([...shape.widgets, ...(was?.widgets ?? [])].map(({ name }) => name));
}

/** The node's own, with inputs of widgets that a file may leave out. */
export function keptSlots(
  { inputs, outputs }: NonNullable<KeptNode["slots"]>,
  shape: Pick<NodeShape, "inputs" | "outputs"> | undefined,
): Pick<NodeShape, "inputs" | "outputs"> {
  const typeName = (type: string | number | undefined) => (type === undefined ? "*" : String(type));
  const usual = new Map(shape?.inputs.map((input) => [input.name, input]));
  const names = new Set(inputs.map(({ name }) => name));
  return {
    inputs: [
      ...inputs.map(({ name, type, widget }) => ({
        name,
        type: typeName(type),
        isWidget: widget !== undefined && widget !== null,
        isOptional: usual.get(name)?.isOptional ?? true,
      })),
      ...[...usual.values()].filter(({ name, isWidget }) => isWidget && !names.has(name)),
    ],
    outputs: outputs.map(({ name, type }) => ({ name, type: typeName(type) })),
  };
}

/**
 * In the order in which they are saved. What is not told is as in a new node; a node whose widgets are not those of its
 * type has just those that are told. What nobody tells, such as headings, stays.
 */
export function widgetsOf(
  values: ReadonlyMap<string, Json>,
  shape: Pick<NodeShape, "widgets" | "savesByName" | "variesByChoice"> | undefined,
  was: KeptNode | undefined,
): ShapeWidget[] {
  const usual = new Map(shape?.widgets.map((widget) => [widget.name, widget]));
  const isAmong = (names: { has(name: string): boolean }) =>
    [...values.keys()].every((name) => names.has(name));
  const present = was?.widgets ?? [];
  const isUsualSet =
    usualWidgets(
      present.filter(({ isDecor }) => !isDecor),
      shape as NodeShape,
    ) !== undefined;
  const isOther = shape?.variesByChoice && !isUsualSet;
  if (present.length > 0 && !isOther && isAmong(new Set(present.map(({ name }) => name)))) {
    return present.flatMap(({ name, value, isDecor, isFed }): ShapeWidget[] => {
      if (values.has(name)) return [{ name, value: values.get(name) ?? null }];
      if (isDecor || isFed) return [{ name, value }];
      return isUsualSet ? [{ name, value: usual.get(name)?.value ?? null }] : [];
    });
  }
  const all = shape?.widgets.map((widget) => ({
    ...widget,
    value: values.has(widget.name) ? (values.get(widget.name) ?? null) : widget.value,
  }));
  const others = [...values].flatMap(([name, value]) => (usual.has(name) ? [] : [{ name, value }]));
  if (others.length === 0 || shape?.savesByName) return [...(all ?? []), ...others];
  return [...values].map(([name, value]) => ({ name, value }));
}
