/** How a tool's result says what it has changed of the graph, for the model and for the panel. */

/** By a node's path or a group's name: its type, and what became different about it. */
export type NamedChanges = { [name: string]: string };

export type GraphChangesTold = {
  added: NamedChanges;
  changed: NamedChanges;
  removed: NamedChanges;
};

export const changeKinds = ["added", "changed", "removed"] as const;
export type ChangeKind = (typeof changeKinds)[number];
