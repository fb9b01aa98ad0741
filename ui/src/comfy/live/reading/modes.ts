/** Modes that packs hold themselves: a page of 1.58 saves the mode that it knows of, and theirs is another one. */

import type { UiWorkflow } from "../../../graph/uiWorkflow";
import type { LiveGraph, LiveNode } from "../page";

interface HeldMode {
  /** A definition's id, undefined at the top. */
  scope?: string;
  node: LiveNode;
  tell(): void;
}

/** Tells the page, so that it saves what it shows and runs; whether there was something to tell. */
export function tellModes(root: LiveGraph): boolean {
  const held = heldModes(root);
  for (const { tell } of held) tell();
  return held.length > 0;
}

/** The workflow with the modes that its nodes have on the page. */
export function withModes(saved: UiWorkflow, root: LiveGraph): UiWorkflow {
  const held = heldModes(root);
  if (held.length === 0) return saved;
  const told = structuredClone(saved);
  for (const { scope, node } of held) {
    const graph =
      scope === undefined ? told : told.definitions?.subgraphs?.find((subgraph) => subgraph.id === scope);
    const found = graph?.nodes.find(({ id }) => String(id) === String(node.id));
    if (found) found.mode = node.mode;
  }
  return told;
}

function heldModes(root: LiveGraph): HeldMode[] {
  const graphs: [string | undefined, LiveGraph][] = [[undefined, root], ...(root.subgraphs ?? [])];
  return graphs.flatMap(([scope, { nodes }]) =>
    nodes.flatMap((node) => {
      if (!Object.getOwnPropertyDescriptor(node, "mode")?.get) return [];
      const known = inheritedMode(node);
      if (!known?.get || known.get.call(node) === node.mode) return [];
      return [{ ...(scope !== undefined && { scope }), node, tell: () => known.set?.call(node, node.mode) }];
    }),
  );
}

function inheritedMode(node: LiveNode): PropertyDescriptor | undefined {
  for (let from = Object.getPrototypeOf(node); from; from = Object.getPrototypeOf(from)) {
    const found = Object.getOwnPropertyDescriptor(from, "mode");
    if (found) return found;
  }
  return undefined;
}
