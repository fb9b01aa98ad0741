import { describe, expect, it } from "vitest";
import type { UiWorkflow } from "../../../graph/uiWorkflow";
import type { LiveGraph, LiveNode, Page } from "../page";
import { changesInPlace } from "./changeInPlace";

const saved = (node: object = {}, rest: object = {}): UiWorkflow =>
  ({
    nodes: [
      { id: 1, type: "KSampler", pos: [0, 0], title: "KSampler", mode: 0, widgets_values: [7, 20], ...node },
    ],
    links: [],
    ...rest,
  }) as unknown as UiWorkflow;

function page() {
  const node = {
    id: 1,
    type: "KSampler",
    pos: [0, 0],
    size: [200, 100],
    title: "KSampler",
    mode: 0,
    widgets: ["seed", "steps"].map((name) => ({ name, value: 0, type: "number" })),
    constructor: {},
  } as unknown as LiveNode;
  const drawn: (boolean | undefined)[] = [];
  const root: Pick<LiveGraph, "nodes" | "extra" | "setDirtyCanvas"> = {
    nodes: [node],
    setDirtyCanvas: (_, links) => drawn.push(links),
  };
  return { node, root, drawn, page: { app: { graph: root, canvas: {} }, liteGraph: {} } as unknown as Page };
}

describe("a state that differs in fields of nodes", () => {
  it("is set without loading a workflow, each field alone", () => {
    const { node, page: live } = page();
    const wanted = saved({ title: "Mine", mode: 4, pos: [5, 6], color: "#123", widgets_values: [7, 30] });
    const changes = changesInPlace(live, saved(), wanted);
    for (const change of changes ?? []) change();
    expect(node).toMatchObject({ title: "Mine", mode: 4, pos: [5, 6], color: "#123" });
    expect(node.widgets?.map(({ value }) => value)).toEqual([0, 30]);
  });

  it("has the links drawn anew only where a node comes to lie elsewhere", () => {
    const { drawn, page: live } = page();
    const set = (wanted: UiWorkflow) => {
      for (const change of changesInPlace(live, saved(), wanted) ?? []) change();
    };
    set(saved({ title: "Mine", widgets_values: [7, 30] }));
    expect(drawn).toEqual([]);
    set(saved({ pos: [5, 6] }));
    expect(drawn).toEqual([true]);
  });

  it("is set without loading a workflow, also what a pack keeps beside the nodes and how many links there were", () => {
    const { root, page: live } = page();
    root.extra = { pack: [1], gone: 2, ds: { scale: 3 } };
    const from = saved({}, { last_link_id: 9, extra: { pack: [1], gone: 2, ds: { scale: 1 } } });
    const wanted = saved({}, { last_link_id: 7, extra: { pack: [4], ds: { scale: 5 } } });
    for (const change of changesInPlace(live, from, wanted) ?? []) change();
    expect(root.extra).toEqual({ pack: [4], ds: { scale: 3 } });
  });

  it("is set where a newer page writes the values by name, too", () => {
    const { node, page: live } = page();
    const present = saved({ widgets_values_named: { seed: 7, steps: 20 } });
    const wanted = saved({ widgets_values: [7, 30], widgets_values_named: { seed: 7, steps: 30 } });
    for (const change of changesInPlace(live, present, wanted) ?? []) change();
    expect(node.widgets?.map(({ value }) => value)).toEqual([0, 30]);
  });

  it.each([
    ["a link", saved({}, { links: [[1, 1, 0, 2, 0, "X"]] })],
    ["another node", { ...saved(), nodes: [...saved().nodes, ...saved({ id: 2 }).nodes] }],
    ["a slot", saved({ inputs: [{ name: "model", type: "MODEL" }] })],
    ["a widget more", saved({ widgets_values: [7, 20, 1] })],
  ])("is loaded where it has %s", (_, wanted) => {
    expect(changesInPlace(page().page, saved(), wanted)).toBeUndefined();
  });
});
