import { expect, it } from "vitest";
import type { Page } from "../page";
import { asMade, nodesMadeAs } from "./madeAs";

const types = { Old: class Old {}, New: class New {}, Own: class Own {} };
for (const [type, made] of Object.entries(types)) Object.assign(made, { type });

/** A page with nodes as `[id, type, what it was made as]`, those of a subgraph apart. */
function page(nodes: Made[], inner: Made[] = []): Page {
  const live = ([id, type, made]: Made) => ({ id, type, constructor: made });
  const graph = { nodes: nodes.map(live), subgraphs: new Map([["s", { nodes: inner.map(live) }]]) };
  return { app: { graph, rootGraph: graph }, liteGraph: { registered_node_types: types } } as unknown as Page;
}

type Made = [id: number, type: string, made: object];

it("gives nodes that a pack calls otherwise the type that they were made as", () => {
  const madeAs = nodesMadeAs(
    page(
      [
        [1, "New", types.Old],
        [2, "New", types.New],
      ],
      [[1, "New", types.Old]],
    ),
  );
  const inner = { id: "s", name: "inner", nodes: [{ id: 1, type: "New" }], links: [] };
  const nodes = [
    { id: 1, type: "New" },
    { id: 2, type: "New" },
  ];
  expect(asMade({ nodes, links: [], definitions: { subgraphs: [inner] } }, madeAs)).toEqual({
    nodes: [
      { id: 1, type: "Old" },
      { id: 2, type: "New" },
    ],
    links: [],
    definitions: { subgraphs: [{ ...inner, nodes: [{ id: 1, type: "Old" }] }] },
  });
});

it("leaves nodes alone that have another type by now, are unknown, or of a class that the page does not know", () => {
  const madeAs = nodesMadeAs(
    page([
      [1, "New", types.Old],
      [3, "New", class Unknown {}],
    ]),
  );
  const workflow = { nodes: [1, 2, 3].map((id) => ({ id, type: id === 1 ? "Own" : "New" })), links: [] };
  expect(asMade(workflow, madeAs)).toEqual(workflow);
});
