/** The values of a saved node, by the names that its widgets have on the page. */

import type { Json } from "../graph";
import type { NodeShape, ShapeWidget } from "../nodeShape";
import type { UiNode } from "../uiWorkflow";
import type { CompactValue } from "./workflow";

/** The widgets of a node with their values, which a saved workflow has by position only. */
export interface NamedWidget {
  name: string;
  value: Json;
  /** A choice that is not among what can be chosen. */
  isMissing?: boolean;
  /** As in `GraphWidget`. */
  isShown?: boolean;
  /** As in `ShapeWidget`. */
  isDecor?: boolean;
}

export interface ReadValue extends CompactValue {
  /** A new node has it, too. */
  isUsual?: boolean;
}

export function compactValue({ isUsual: _, ...value }: ReadValue): CompactValue {
  return value;
}

export function readValues(
  node: UiNode,
  widgets: readonly NamedWidget[] | undefined,
  shape: NodeShape | undefined,
): ReadValue[] {
  if (!widgets) return savedByPlace(node.widgets_values);
  const told = widgets.filter(({ isDecor }) => !isDecor);
  const usualOnes = usualWidgets(told, shape);
  return told.map(({ name, value, isMissing, isShown }, index) => {
    const usual = usualOnes?.[index];
    const isUsual = usual !== undefined && !usual.isOpenChoice && isSame(usual.value, value);
    return { name, value, isUsual, ...(isMissing && { isMissing }), ...(isShown && { isShown }) };
  });
}

/** Those of a new node, where the node has the same ones. */
export function usualWidgets(
  widgets: readonly { name: string }[],
  shape: NodeShape | undefined,
): readonly ShapeWidget[] | undefined {
  const usual = shape?.widgets.filter(({ isDecor }) => !isDecor);
  const isSameSet =
    usual?.length === widgets.length && usual.every(({ name }, index) => name === widgets[index]?.name);
  return isSameSet ? usual : undefined;
}

/** Buttons are widgets, too, and hold nothing or an empty text. */
function isSame(usual: Json, value: Json): boolean {
  return (
    usual === value || JSON.stringify(usual) === JSON.stringify(value) || (usual === "" && value === null)
  );
}

/** Values of a saved node by name, or by their places where it names none, as `#0`. */
export function savedByPlace(values: unknown): CompactValue[] {
  if (Array.isArray(values)) return values.map((value: Json, index) => ({ name: `#${index}`, value }));
  if (values === null || typeof values !== "object") return [];
  return Object.entries(values as Record<string, Json>).map(([name, value]) => ({ name, value }));
}
