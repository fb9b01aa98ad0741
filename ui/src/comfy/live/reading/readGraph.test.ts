import { expect, it } from "vitest";
import type { Page } from "../page";
import { readGraph } from "./readGraph";

/** A node that stands for a subgraph: its input feeds two nodes inside, each of which stands for the next. */
function doubling(depth: number, last: object): object {
  const inside = [1, 2].map((id) => ({
    id,
    pos: [0, 0],
    size: [1, 1],
    type: "Inner",
    constructor: {},
    inputs: [{ name: "in", type: "X", link: id }],
    ...(depth > 0 ? once(depth - 1, last) : last),
  }));
  return {
    isSubgraphNode: () => true,
    subgraph: {
      inputs: [{ name: "in", linkIds: [1, 2] }],
      nodes: inside,
      getLink: (id: number) => ({ target_id: id, target_slot: 0 }),
    },
  };
}

const made = new Map<string, object>();

/** Both nodes of a graph stand for the same one. */
function once(depth: number, last: object): object {
  const key = `${depth} ${JSON.stringify(last)}`;
  const known = made.get(key) ?? doubling(depth, last);
  made.set(key, known);
  return known;
}

function page(node: object, groups: object[] = []): Page {
  const graph = {
    groups,
    nodes: [{ id: 9, pos: [0, 0], size: [1, 1], type: "Outer", constructor: {}, ...node }],
    getLink: () => undefined,
    links: new Map(),
  };
  return { app: { graph, canvas: {} }, liteGraph: { registered_node_types: {} } } as unknown as Page;
}

it.each([
  ["optional", {}, true],
  ["needed", { constructor: { nodeData: { input: { required: { in: ["X"] } } } } }, false],
])("an input of subgraphs that hold each other twice is %s as what it feeds is", (_, last, isOptional) => {
  const outer = { ...doubling(40, last), inputs: [{ name: "in", type: "X", link: null }] };
  const [node] = readGraph(page(outer), [], { isBrief: true }).nodes;
  expect(node?.inputs).toMatchObject([{ name: "in", isOptional }]);
});

it.each([
  ["has its middle there with its title bar", { pos: [0, 100], size: [200, 40] }],
  ["is collapsed to its title there", { pos: [0, 70], size: [400, 300], flags: { collapsed: true } }],
])("a group has a node that %s", (_, node) => {
  const group = { title: "Above", pos: [-10, 0], size: [120, 110] };
  const lower = { title: "Below", pos: [-10, 111], size: [420, 400] };
  const { groups, nodes } = readGraph(page({ title: "", ...node }, [group, lower]), []);
  expect(groups.map((each) => each.nodes)).toEqual([["9"], []]);
  expect(nodes[0]?.size.height).toBe("flags" in node ? 0 : 40);
});
