/** A node of the fake, as ComfyUI would create it. */

import type { GraphNode, GraphWidget, Json, NodeId, WidgetKind } from "../graph/graph";
import type { InputDefinition, NodeDefinition } from "./bridge";
import { settleSlots } from "./dynamicSlots";
import { type Held, inputNamed, inputsInForce, rowOf } from "./inputsInForce";

const initialValues: Record<WidgetKind, Json> = {
  integer: 0,
  number: 0,
  text: "",
  boolean: false,
  choice: null,
  color: "#000000",
  other: null,
};

/** With the inputs that belong to these values, where a choice has some of its own. */
export function newNode(id: NodeId, definition: NodeDefinition, values: Held = () => undefined): GraphNode {
  const { type, title, outputs } = definition;
  const inputs = inputsInForce(definition, (name) => values(name) ?? inputNamed(definition, name)?.default);
  const widgets = inputs.flatMap((input) => (input.widget ? newWidgets(input, input.widget) : []));
  const node: GraphNode = {
    id,
    type,
    title,
    defaultTitle: title,
    mode: "active",
    isInstalled: true,
    inputs: [...inputs.filter((input) => !input.widget), ...inputs.filter((input) => input.widget)].map(
      ({ name, type: inputType, isOptional, widget }) => {
        const row = rowOf(definition, name);
        return {
          name,
          type: inputType,
          isOptional,
          isWidget: widget !== undefined,
          ...(row !== undefined && { row }),
        };
      },
    ),
    outputs: outputs.map(({ name, type }) => ({ name, type, linkedTo: [] })),
    widgets,
    position: { x: 0, y: 0 },
    size: { width: 270, height: 20 * (inputs.length + widgets.length) + 20 },
  };
  settleSlots({ scope: { kind: "workflow" }, nodes: [node], groups: [], selection: [] }, node, definition);
  return node;
}

/** A seed brings ComfyUI's own control with it. */
function newWidgets(input: InputDefinition, kind: WidgetKind): GraphWidget[] {
  const { name, choices, min, max, step } = input;
  const isNumeric = kind === "integer" || kind === "number";
  const widget: GraphWidget = {
    name,
    kind,
    value: input.default ?? choices?.[0] ?? initialValues[kind],
    ...(input.default !== undefined && { default: input.default }),
    ...(choices && { choices }),
    ...(input.isColor && { isColor: true }),
    ...(isNumeric && min !== undefined && { min }),
    ...(isNumeric && max !== undefined && { max }),
    ...(isNumeric && step !== undefined && { step }),
  };
  if (name !== "seed" && name !== "noise_seed") return [widget];
  const control: GraphWidget = {
    name: "control_after_generate",
    kind: "choice",
    value: "randomize",
    default: "randomize",
    choices: ["fixed", "increment", "decrement", "randomize"],
  };
  return [widget, control];
}

/** Number widgets keep to their range, and integers to their step. */
export function asComfyKeeps(widget: GraphWidget, value: Json): Json {
  if (typeof value !== "number") return value;
  const { kind, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, step = 1 } = widget;
  const within = Math.min(max, Math.max(min, value));
  if (kind !== "integer") return within;
  const offset = Number.isFinite(min) ? min % step : 0;
  return Math.round((within - offset) / step) * step + offset;
}
