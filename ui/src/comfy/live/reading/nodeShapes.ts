/** What new nodes look like, found out by creating one of each type that is asked for. */

import { areFiles } from "../../../graph/fileChoices";
import type { NodeShape, ShapeOf } from "../../../graph/nodeShape";
import { isObject } from "../../../shared/json";
import { makeBlankNode } from "../editing/blankNode";
import type { LiveNode, LiveWidget, Page } from "../page";
import { isOptionalInput, readDefinition } from "./definition";
import { drawnSize } from "./drawnSize";
import { heldValue } from "./values";
import { isDecor, widgetName } from "./widgets";

export function createNodeShapes(page: Page): ShapeOf {
  const shapes = new Map<string, { registered: unknown; shape: NodeShape }>();
  return (type) => {
    const types = page.liteGraph.registered_node_types;
    const registered = Object.hasOwn(types, type) ? types[type] : undefined;
    if (!registered) return undefined;
    const known = shapes.get(type);
    if (known?.registered === registered) return known.shape;
    const shape = readShape(page, type);
    if (shape) shapes.set(type, { registered, shape });
    return shape;
  };
}

function readShape(page: Page, type: string): NodeShape | undefined {
  const node = makeBlankNode(page, type);
  if (!node) return undefined;
  const definition = readDefinition(type, "", node.constructor.nodeData);
  const declared = new Map(definition?.inputs.map((input) => [input.name, input]));
  const shape: NodeShape = {
    type,
    title: node.constructor.title ?? type,
    inputs: (node.inputs ?? []).map((input) => ({
      name: input.name,
      type: slotType(input.type),
      isWidget: input.widget !== undefined && input.widget !== null,
      isOptional: input.shape === 7 || !definition || isOptionalInput(definition, input.name),
    })),
    outputs: (node.outputs ?? []).map((output) => ({ name: output.name, type: slotType(output.type) })),
    widgets: savedWidgets(node).map((widget, index) => {
      const input = declared.get(widget.name);
      const isOpenChoice = input?.type === "COMBO" && input.default === undefined && isOpen(input.choices);
      return {
        name: widgetName(widget, index),
        value: heldValue(widget),
        ...(isDecor(node, widget) && { isDecor: true }),
        ...(isOpenChoice && { isOpenChoice }),
      };
    }),
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
