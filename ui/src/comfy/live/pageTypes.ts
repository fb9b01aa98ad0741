/** Node types that only ComfyUI's page has, such as notes, and those with which packs wire and switch. */

import type { GraphNode, GraphWidget, Json, WidgetKind } from "../../graph/graph";
import type { JsonObject } from "../../graph/uiWorkflow";
import type { Page } from "./page";
import { readBlankNode } from "./reading/readGraph";

/** What they look like is found out by creating one of each, once. */
export function createPageTypes(page: Page, leftOut: RegExp): () => readonly JsonObject[] {
  const known = new Map<unknown, JsonObject | undefined>();
  return () => {
    const own = Object.entries(page.liteGraph.registered_node_types).filter(
      ([type, { nodeData }]) => !nodeData && !leftOut.test(type),
    );
    for (const [type, registered] of own)
      if (!known.has(registered)) known.set(registered, asServerSends(page, type, registered));
    return own.map(([, registered]) => known.get(registered)).filter((each) => each !== undefined);
  };
}

function asServerSends(
  page: Page,
  type: string,
  { category, desc }: { category?: unknown; desc?: unknown },
): JsonObject | undefined {
  try {
    const node = readBlankNode(page, type);
    return node && asDefinition(node, text(category), text(desc));
  } catch {
    return undefined;
  }
}

function asDefinition(node: GraphNode, category: string, description: string): JsonObject {
  const slots = node.inputs.filter(({ isWidget }) => !isWidget);
  return {
    name: node.type,
    display_name: node.defaultTitle,
    category,
    description,
    input: {
      optional: Object.fromEntries([
        ...slots.map(({ name, type }) => [name, [type]]),
        ...node.widgets.flatMap((widget) => {
          const type = widgetType(widget);
          return type ? [[widget.name, [type]]] : [];
        }),
      ]),
    },
    output: node.outputs.map(({ type }) => type),
    output_name: node.outputs.map(({ name }) => name),
  };
}

const inputTypes: Partial<Record<WidgetKind, string>> = {
  integer: "INT",
  number: "FLOAT",
  text: "STRING",
  boolean: "BOOLEAN",
};

const mostChoices = 50;

function widgetType({ kind, choices }: GraphWidget): Json | undefined {
  return kind === "choice" ? (choices ?? []).slice(0, mostChoices).map(String) : inputTypes[kind];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
