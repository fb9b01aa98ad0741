/**
 * The types that nodes have in their author's file. A page of ComfyUI takes signs out of the name of a type that it does
 * not know, keeps it like that in what it saves, and so does not know it once it is installed.
 */

import type { JsonObject } from "./uiWorkflow";

interface SavedNode {
  type?: unknown;
  properties?: unknown;
}

/** Of group nodes, which came before subgraphs; older files have `workflow/`. */
export const groupPrefix = "workflow>";
const olderGroupPrefix = "workflow/";
const takenOut = /[&<>"'`=]/g;

/** The nodes of each group node, by its type. */
export function groupNodes(workflow: object): Map<string, SavedNode[]> {
  const { extra } = workflow as { extra?: { groupNodes?: unknown } | null };
  const groups = Object.entries(Object(extra?.groupNodes)) as [string, unknown][];
  return new Map(
    groups.map(([name, group]) => {
      const { nodes } = Object(group) as { nodes?: unknown };
      return [`${groupPrefix}${name}`, Array.isArray(nodes) ? nodes.filter(isNode) : []];
    }),
  );
}

/** Tells the type of a node in its author's file. */
export function ownTypes(workflow: object): (node: SavedNode) => string {
  const known = new Map<string, string>();
  for (const type of groupNodes(workflow).keys()) {
    known.set(type.replaceAll(takenOut, ""), type);
    known.set(`${olderGroupPrefix}${type.slice(groupPrefix.length)}`, type);
  }
  return ({ type, properties }) => {
    // The page that made the node noted its type here, too.
    const { "Node name for S&R": noted } = Object(properties) as JsonObject;
    if (typeof noted === "string" && noted !== type && noted.replaceAll(takenOut, "") === type) return noted;
    return known.get(String(type)) ?? String(type);
  };
}

function isNode(value: unknown): value is SavedNode {
  return typeof value === "object" && value !== null;
}
