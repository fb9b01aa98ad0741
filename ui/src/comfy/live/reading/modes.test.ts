import { describe, expect, it } from "vitest";
import type { UiWorkflow } from "../../../graph/uiWorkflow";
import type { LiveGraph } from "../page";
import { tellModes, withModes } from "./modes";

class PageNode {
  known = 0;
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
  get mode() {
    return this.known;
  }
  set mode(mode) {
    this.known = mode;
  }
}

class PackNode extends PageNode {
  constructor(id: number, held: number) {
    super(id);
    Object.defineProperty(this, "mode", { get: () => held, set: () => {} });
  }
}

function graphs() {
  const inner = { nodes: [new PackNode(1, 4)] };
  const root = { nodes: [new PageNode(1), new PackNode(2, 2)], subgraphs: new Map([["inside", inner]]) };
  const saved = {
    nodes: [
      { id: 1, type: "A", mode: 0 },
      { id: 2, type: "B", mode: 0 },
    ],
    links: [],
    definitions: {
      subgraphs: [{ id: "inside", name: "Inside", links: [], nodes: [{ id: 1, type: "B", mode: 0 }] }],
    },
  } as UiWorkflow;
  return { root: root as unknown as LiveGraph, pack: root.nodes[1], saved };
}

describe("the mode that a pack holds itself", () => {
  it("is read in place of the one that the page saves, which stays as it is", () => {
    const { root, pack, saved } = graphs();
    const read = withModes(saved, root);
    expect(read.nodes.map(({ mode }) => mode)).toEqual([0, 2]);
    expect(read.definitions?.subgraphs?.[0]?.nodes[0]?.mode).toBe(4);
    expect(saved.nodes[1]?.mode).toBe(0);
    expect(pack?.known).toBe(0);
  });

  it("is told to the page once", () => {
    const { root, pack, saved } = graphs();
    expect(tellModes(root)).toBe(true);
    expect(pack?.known).toBe(2);
    expect(tellModes(root)).toBe(false);
    expect(withModes(saved, root)).toBe(saved);
  });
});
