/** What new nodes look like, found out by creating one of each type that is asked for. */

import { areFiles } from "../../../graph/fileChoices";
import type { Json } from "../../../graph/graph";
import type { NodeShape, ShapeOf } from "../../../graph/nodeShape";
import { isObject } from "../../../shared/json";
import type { NodeDefinition } from "../../bridge";
import { type Held, inputNamed, inputsInForce, isOptionalInput, rowNames } from "../../inputsInForce";
import { makeBlankNode } from "../editing/blankNode";
import { setWidget } from "../editing/setWidget";
import type { LiveNode, LiveWidget, Page } from "../page";
import { readDefinition } from "./definition";
import { drawnSize } from "./drawnSize";
import { heldValue } from "./values";
import { isDecor, widgetName } from "./widgets";

export function createNodeShapes(page: Page): ShapeOf {
  const shapes = new Map<string, { registered: unknown; shape: NodeShape }>();
  return (type, held) => {
    const types = page.liteGraph.registered_node_types;
    const registered = Object.hasOwn(types, type) ? types[type] : undefined;
    if (!registered) return undefined;
    const definition = readDefinition(type, "", registered.nodeData);
    const choices = definition && held ? choicesHeld(definition, held) : [];
    const key = JSON.stringify([type, ...choices]);
    const known = shapes.get(key);
    if (known?.registered === registered) return known.shape;
    const shape = readShape(page, type, choices);
    if (shape) shapes.set(key, { registered, shape });
    return shape;
  };
}

/** The choices that bring inputs along, before those that they bring, as far as they are held. */
function choicesHeld(definition: Pick<NodeDefinition, "inputs">, held: Held): [string, Json][] {
  return inputsInForce(definition, held).flatMap(({ name, options }): [string, Json][] => {
    const value = options && held(name);
    return value === undefined ? [] : [[name, value]];
  });
}

function readShape(page: Page, type: string, choices: readonly [string, Json][]): NodeShape | undefined {
  const node = makeBlankNode(page, type);
  if (!node) return undefined;
  const usual = new Map<string, Json>();
  for (const [name, value] of choices) {
    const widget = node.widgets?.find((each) => each.name === name);
    if (!widget) continue;
    usual.set(name, heldValue(widget));
    setWidget(page, node, name, value);
  }
  const definition = readDefinition(type, "", node.constructor.nodeData);
  const shape: NodeShape = {
    type,
    title: node.constructor.title ?? type,
    inputs: (node.inputs ?? []).map((input) => ({
      ...rowNames(definition, input.name),
      name: input.name,
      type: slotType(input.type),
      isWidget: input.widget !== undefined && input.widget !== null,
      isOptional: input.shape === 7 || !definition || isOptionalInput(definition, input.name),
    })),
    outputs: (node.outputs ?? []).map((output) => ({ name: output.name, type: slotType(output.type) })),
    widgets: savedWidgets(node).map((widget, index) => {
      const input = definition && inputNamed(definition, widget.name);
      const isOpenChoice = input?.type === "COMBO" && input.default === undefined && isOpen(input.choices);
      return {
        name: widgetName(node, widget, index),
        value: usual.get(widget.name) ?? heldValue(widget),
        ...(isDecor(node, widget) && { isDecor: true }),
        ...(isOpenChoice && { isOpenChoice }),
      };
    }),
    ...(definition?.inputs.some(({ options }) => options) && { variesByChoice: true }),
    ...(definition?.isOutput && { isOutput: true }),
    ...(savesByName(node) && { savesByName: true }),
    size: drawnSize(page, node),
  };
  node.onRemoved?.();
  return shape;
}

/** Files come and go; nothing to choose from means that there are none yet. */
function isOpen(choices: readonly unknown[] = []): boolean {
  return choices.length === 0 || areFiles(choices);
}

/** The widgets whose values a saved workflow lists, in its order. */
export function savedWidgets(node: LiveNode): LiveWidget[] {
  return (node.widgets ?? []).filter((widget) => widget.serialize !== false);
}

/** Packs save in forms of their own, and some fail for a node that is in no graph. */
function savesByName(node: LiveNode): boolean {
  try {
    return isObject(node.serialize?.().widgets_values);
  } catch {
    return false;
  }
}

function slotType(type: string | number): string {
  return type === 0 || type === "" ? "*" : String(type);
}
