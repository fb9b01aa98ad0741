/** What behaviours are made of: a few nodes to begin with, and expectations that need no test framework. */

import { findNode, type GraphNode, type NodeId } from "../../graph/graph";
import type { Comfy } from "../bridge";

export interface Behaviour {
  name: string;
  check(comfy: Comfy): void | Promise<void>;
}

export function emptyGraph(comfy: Comfy): void {
  comfy.edit((editor) => {
    for (const { id } of comfy.graph().nodes) editor.removeNode(id);
  });
}

export function imageAndSave(comfy: Comfy): { image: NodeId; save: NodeId } {
  return comfy.edit((editor) => ({ image: editor.addNode("EmptyImage"), save: editor.addNode("SaveImage") }));
}

export function connect(comfy: Comfy, from: NodeId, to: NodeId): { isConnected: boolean } {
  return {
    isConnected: comfy.edit((editor) => editor.connect({ node: from, output: 0 }, { node: to, input: 0 })),
  };
}

export function nodeOf(comfy: Comfy, id: NodeId): GraphNode {
  const node = findNode(comfy.graph(), id);
  if (!node) throw new Error(`node ${id} is missing`);
  return node;
}

export function upstreamTypes(comfy: Comfy, id: NodeId): string[] {
  const source = nodeOf(comfy, id).inputs[0]?.linkedFrom?.node;
  return source === undefined ? [] : [nodeOf(comfy, source).type, ...upstreamTypes(comfy, source)];
}

export async function soon<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const value = await look();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("nothing happened for 10 seconds");
}

export function expectSame(actual: unknown, expected: unknown): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (found !== wanted) throw new Error(`found ${found}, expected ${wanted}`);
}

export function expectThrow(act: () => unknown): void {
  let isThrown = false;
  try {
    act();
  } catch {
    isThrown = true;
  }
  if (!isThrown) throw new Error("expected it to be refused");
}
