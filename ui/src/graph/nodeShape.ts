/** What a new node of a type looks like, as the frontend creates it. */

import { isObject } from "../shared/json";
import type { Json, Size } from "./graph";
import type { UiNode } from "./uiWorkflow";

export interface NodeShape {
  type: string;
  /** The title that new nodes have. */
  title: string;
  inputs: ShapeInput[];
  outputs: { name: string; type: string }[];
  /** In the order in which a saved workflow lists their values. */
  widgets: ShapeWidget[];
  /** Other slots and widgets belong to other values of its choices. */
  variesByChoice?: boolean;
  /** It shows or saves its result, so that a run needs nothing after it. */
  isOutput?: boolean;
  /** It saves its values by their names, and takes a list for something else. */
  savesByName?: boolean;
  size: Size;
}

export interface ShapeInput {
  name: string;
  /** Of a subgraph's node: what people see in place of the name. */
  label?: string;
  type: string;
  isWidget: boolean;
  isOptional: boolean;
  /** Of a growing row: the names of all inputs that it can have, in their order. */
  row?: readonly string[];
}

export interface ShapeWidget {
  name: string;
  value: Json;
  /** A choice of files: its default is the first one that happens to be installed, so its value is told always. */
  isOpenChoice?: boolean;
  /** A heading, a line, a button or a preview: nothing that anybody sets. */
  isDecor?: boolean;
}

/**
 * Undefined for a type that is not installed. Where choices bring slots and widgets along, it has those of the choices
 * that are held; the choices themselves have the values of a new node all the same.
 */
export type ShapeOf = (type: string, held?: (name: string) => Json | undefined) => NodeShape | undefined;

/** The shape that a saved node has by its values. */
export function shapeOfSaved(
  shapeOf: ShapeOf,
  { type, widgets_values: values, widgets_values_named: named }: UiNode,
): NodeShape | undefined {
  const byName = (isObject(named) ? named : isObject(values) ? values : undefined) as
    | { [name: string]: Json }
    | undefined;
  const list = (Array.isArray(values) ? values : []) as Json[];
  let shape = shapeOf(type);
  // Where values are told by position, a choice tells which ones the next positions are of.
  for (let before = ""; shape?.variesByChoice && before !== namesIn(shape); ) {
    before = namesIn(shape);
    const names = shape.widgets.map(({ name }) => name);
    shape = shapeOf(type, (name) => (byName ? byName[name] : list[names.indexOf(name)]));
  }
  return shape;
}

function namesIn({ widgets }: NodeShape): string {
  return JSON.stringify(widgets.map(({ name }) => name));
}
