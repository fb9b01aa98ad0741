/**
 * Slots of a subgraph, by the calls that both frontends' own menus make: a widget is promoted by an input of the
 * subgraph that is linked to it. What 1.32 promotes by name alone (`proxyWidgets`) can be taken away here, too.
 */

import type { LiveGraph, LiveNode } from "../page";

export function promoteInput(subgraph: LiveGraph, node: LiveNode, index: number, name: string): void {
  const slot = node.inputs?.[index];
  if (!slot || !subgraph.addInput) throw new Error(`Node ${node.id} lies in no subgraph.`);
  const input = subgraph.addInput(name, slot.type);
  if (!input.connect(slot, node)) throw new Error(`ComfyUI refused to promote ${slot.name}.`);
}

export function promoteOutput(subgraph: LiveGraph, node: LiveNode, index: number, name: string): void {
  const slot = node.outputs?.[index];
  if (!slot || !subgraph.addOutput) throw new Error(`Node ${node.id} lies in no subgraph.`);
  const output = subgraph.addOutput(name, slot.type);
  if (!output.connect(slot, node)) throw new Error(`ComfyUI refused to promote ${slot.name}.`);
}

export function demote(node: LiveNode, side: "input" | "output", name: string): void {
  const { subgraph } = node;
  if (!subgraph) throw new Error(`Node ${node.id} is no subgraph.`);
  const named = <Slot extends { name: string }>(slots: readonly Slot[] | undefined) =>
    slots?.find((slot) => slot.name === name);
  const [input, output] = [named(subgraph.inputs), named(subgraph.outputs)];
  if (side === "output" && output) subgraph.removeOutput?.(output);
  else if (side === "input" && input) subgraph.removeInput?.(input);
  else if (!hideProxy(node, name)) throw new Error(`Node ${node.id} shows no ${side} ${name}.`);
}

function hideProxy(node: LiveNode, name: string): boolean {
  if (!node.properties || !shownWidgets(node).includes(name)) return false;
  node.properties.proxyWidgets = proxies(node).filter((entry) => entry.join(".") !== name);
  return true;
}

/** What it shows by name alone, as `5.text`. */
export function shownWidgets(node: LiveNode): string[] {
  return proxies(node)
    .filter(([id]) => id !== "-1")
    .map((entry) => entry.join("."));
}

function proxies({ properties }: LiveNode): [string, string][] {
  const list = properties?.proxyWidgets;
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry): [string, string][] =>
    Array.isArray(entry) ? [[String(entry[0]), String(entry[1])]] : [],
  );
}
