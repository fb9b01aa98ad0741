/** What a widget of the page is: which kind of value it holds, if any, and what it goes by. */

import type { WidgetKind } from "../../../graph/graph";
import { isObject } from "../../../shared/json";
import type { InputDefinition } from "../../bridge";
import { inputNamed } from "../../inputsInForce";
import type { LiveNode, LiveWidget } from "../page";
import { readDefinition } from "./definition";
import { widgetKind } from "./inputDefinition";

const kindsByWidgetType: Record<string, WidgetKind> = {
  number: "number",
  slider: "number",
  knob: "number",
  gradientslider: "number",
  toggle: "boolean",
  combo: "choice",
  asset: "choice",
  text: "text",
  string: "text",
  customtext: "text",
  textarea: "text",
  markdown: "text",
  MARKDOWN: "text",
  color: "color",
};

/** Buttons, previews and the like are widgets too; what is not saved with the workflow is nothing to set. */
export function holdsValue(node: LiveNode, widget: LiveWidget): boolean {
  return (
    widget.type !== "button" &&
    (widget.serialize !== false || widget.sourceWidgetName !== undefined) &&
    !String(widget.name).startsWith("$$") &&
    !isDecor(node, widget)
  );
}

/** A heading, a line, a button or a preview that a pack has made as a widget of its own. */
export function isDecor(node: LiveNode, widget: LiveWidget): boolean {
  if (kindsByWidgetType[widget.type ?? ""]) return false;
  if (isDeclared(node, widget)) return false;
  return holdsNothing(widget.value) || (widget.options?.serialize === false && isObject(widget.value));
}

/** A text that the node shows and nobody writes, such as what came of a run. */
export function isShown(node: LiveNode, widget: LiveWidget): boolean {
  return isReadOnly(widget) && kindOf(widget, undefined) === "text" && !isDeclared(node, widget);
}

/** The page warns of `inputEl` where it is its own field. */
function isReadOnly(widget: LiveWidget): boolean {
  return widget.element?.readOnly ?? widget.inputEl?.readOnly ?? false;
}

function isDeclared(node: LiveNode, { name }: LiveWidget): boolean {
  const definition = readDefinition(node.type, "", node.constructor.nodeData);
  return definition !== undefined && inputNamed(definition, name) !== undefined;
}

/** Nothing but the name of what it is. */
function holdsNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return isObject(value) && Object.keys(value).every((name) => name === "type");
}

/**
 * Of a pack's own widgets the label, which is what people see; some have no name at all and go by their place. A subgraph's
 * node may label several alike.
 */
export function widgetName(node: Pick<LiveNode, "subgraph">, widget: LiveWidget, index: number): string {
  const isOwn = !kindsByWidgetType[widget.type ?? ""] && !node.subgraph;
  const name = (isOwn && widget.label) || widget.name;
  return name === "" || name === undefined ? `#${index}` : name;
}

export function kindOf(widget: LiveWidget, declared: InputDefinition | undefined): WidgetKind {
  const byDeclaration = declared && widgetKind(declared.type);
  if (byDeclaration) return byDeclaration;
  const kind = kindsByWidgetType[widget.type ?? ""] ?? "other";
  if (kind === "color" && typeof widget.value === "number") return "integer";
  return kind === "number" && widget.options?.precision === 0 ? "integer" : kind;
}
