/** What a new node of a type looks like, as the frontend creates it. */

import type { Json, Size } from "./graph";

export interface NodeShape {
  type: string;
  /** The title that new nodes have. */
  title: string;
  inputs: ShapeInput[];
  outputs: { name: string; type: string }[];
  /** In the order in which a saved workflow lists their values. */
  widgets: ShapeWidget[];
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
}

export interface ShapeWidget {
  name: string;
  value: Json;
  /** A choice of files: its default is the first one that happens to be installed, so its value is told always. */
  isOpenChoice?: boolean;
  /** A heading, a line, a button or a preview: nothing that anybody sets. */
  isDecor?: boolean;
}

/** Undefined for a type that is not installed. */
export type ShapeOf = (type: string) => NodeShape | undefined;
