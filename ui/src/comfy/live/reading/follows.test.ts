import { expect, it } from "vitest";
import type { LiveGraph, LiveNode } from "../page";
import { followsIn } from "./follows";

/** A pair as packs make them: the Get asks the Set of its name for the link into it. */
function pairs(names: readonly string[]) {
  const link = { id: 5, origin_id: 9, origin_slot: 0, target_id: 1, target_slot: 0 };
  let asked = 0;
  const set = {
    id: 1,
    isVirtualNode: true,
    get inputs() {
      asked++;
      return [{ name: "value", type: "*", link: link.id }];
    },
    widgets: [{ name: "name", value: "one" }],
  };
  const gets = names.map((value, index) => ({
    id: 2 + index,
    isVirtualNode: true,
    inputs: [],
    outputs: [{ name: "value", type: "*" }],
    widgets: [{ name: "name", value }],
    getInputLink: () => link,
  }));
  const graph = { nodes: [set, ...gets], getLink: (id: unknown) => (id === link.id ? link : undefined) };
  const follows = followsIn(graph as unknown as LiveGraph);
  return { told: gets.map((get) => follows(get as unknown as LiveNode)), asked: () => asked };
}

it("tells the node that holds the same name, and asks none whose counterpart is missing", () => {
  expect(pairs(["one", "two"]).told).toEqual([["1"], []]);
});

it("looks once for the nodes that hand something on", () => {
  expect(pairs(["one", "one", "one", "two"]).asked()).toBe(1);
});
