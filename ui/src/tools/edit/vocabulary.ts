/** The fields that operations have in common: one flat object, since small models lose themselves in a choice of shapes. */

import { z } from "zod";
import type { Json } from "../../graph/graph";
import {
  booleanArgument,
  listArgument,
  slotArgument,
  textArgument,
  valuesArgument,
} from "../values/arguments";

const modes = ["active", "bypass", "mute"] as const;

/** In the order in which a model reads them. `{operations}` stands for those that have the field. */
export const vocabulary = {
  nodes: listArgument(textArgument("Id."), "What it acts on."),
  type: textArgument("Node type ({operations})."),
  as: textArgument(),
  from: slotArgument("Source: node.OUTPUT."),
  to: slotArgument("Target: node.input."),
  widgets: valuesArgument("Values by widget name ({operations})."),
  inputs: valuesArgument("{operations}: node.OUTPUT by input name."),
  mode: z.enum(modes).or(z.string()).meta({ type: "string", enum: modes }),
  title: textArgument("Title of node, group or subgraph; promote: the slot's name."),
  color: textArgument("Color name, #rrggbb or none."),
  position: z.object({ x: z.coerce.number(), y: z.coerce.number() }),
  beside: textArgument("{operations}: near this."),
  rejoin: booleanArgument("{operations}: false cuts what passed through."),
  inside: textArgument("{operations}: the subgraph node to add it in."),
};

/** How a model writes each of them, for errors. */
export const examples: Readonly<Record<string, Json>> = {
  nodes: ["3"],
  type: "ImageInvert",
  from: "4.MODEL",
  to: "3.model",
  widgets: { steps: 30 },
  inputs: { model: "4.MODEL" },
  mode: "bypass",
  title: "Second pass",
  position: { x: 0, y: 0 },
};
