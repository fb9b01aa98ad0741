import { expect, it } from "vitest";
import { besideSibling } from "./besideSibling";
import type { Graph, GraphNode, NodeId, Point } from "./graph";
import { outline, overlaps } from "./placement";
import { withPlaces } from "./placeReplacing";
import { imageNode } from "./testNodes";

const typed = (type: string, id: NodeId, at: Point, sources: readonly NodeId[] = []): GraphNode => ({
  ...imageNode(id, at, { sources }),
  type,
});

/** Each image leads to a reference, and these into each other: two are there, one under the other or side by side. */
const references = (second: Point) => [
  typed("Load", "image 1", { x: 0, y: 0 }),
  typed("Apply", "apply 1", { x: 360, y: 0 }, ["base", "image 1"]),
  typed("Load", "image 2", second),
  typed("Apply", "apply 2", { x: second.x + 360, y: second.y }, ["apply 1", "image 2"]),
  typed("Load", "image 3", { x: 0, y: 0 }),
  typed("Apply", "apply 3", { x: 0, y: 0 }, ["apply 2", "image 3"]),
];

function graphOf(nodes: GraphNode[], groups: Graph["groups"] = []): Graph {
  for (const { id, inputs } of nodes)
    for (const [input, { name, linkedFrom }] of inputs.entries())
      nodes
        .find((each) => each.id === linkedFrom?.node)
        ?.outputs[0]?.linkedTo.push({ node: id, input, name });
  return { scope: { kind: "workflow" }, nodes, groups, selection: [] };
}

function placed(graph: Graph, ids = ["image 3", "apply 3"], held: NodeId[] = []) {
  const beside = besideSibling(graph, new Map(ids.map((id) => [id, undefined])), new Set(held));
  const { nodes } = withPlaces(graph, beside ?? { positions: new Map(), frames: new Map() });
  const boxes = nodes.map(outline);
  const isFree = boxes.every((one) => boxes.every((other) => one === other || !overlaps(one, other)));
  return { beside, isFree, at: (...some: NodeId[]) => some.map((id) => beside?.positions.get(id)) };
}

it.each([
  ["below where they repeat down", { x: 0, y: 160 }, { x: 0, y: 320 }, { x: 360, y: 320 }],
  ["right where they repeat to the right", { x: 720, y: 0 }, { x: 1440, y: 0 }, { x: 1800, y: 0 }],
])("a further branch stands %s", (_, second, image, apply) => {
  const { at } = placed(graphOf(references(second)));
  expect(at("image 3", "apply 3")).toEqual([image, apply]);
});

it("what stands there makes room, and the frame of all of them grows", () => {
  const nodes = [...references({ x: 0, y: 160 }), typed("Other", "below", { x: 0, y: 340 })];
  const members = ["image 1", "apply 1", "image 2", "apply 2"];
  const groups = [
    { title: "References", nodes: members, bounds: { x: -10, y: -70, width: 680, height: 340 } },
  ];
  const { beside, at, isFree } = placed(graphOf(nodes, groups));
  expect([isFree, at("below")[0]?.x, beside?.frames.get(0)]).toEqual([
    true,
    0,
    { x: -10, y: -70, width: 680, height: 500 },
  ]);
});

it.each([
  [
    "one is there alone",
    references({ x: 0, y: 160 }).map((each) => (each.id === "apply 1" ? { ...each, type: "Else" } : each)),
    [],
  ],
  [
    "other nodes lead to those",
    references({ x: 0, y: 160 }).map((each) => (each.id === "image 2" ? { ...each, type: "Else" } : each)),
    [],
  ],
  [
    "what is held would have to move",
    [...references({ x: 0, y: 160 }), typed("Other", "below", { x: 0, y: 340 })],
    ["below"],
  ],
])("it has no such place where %s", (_, nodes, held) => {
  expect(placed(graphOf(nodes), undefined, held).beside).toBeUndefined();
});

it("what takes from the same as two of its kind stands under the lower one", () => {
  const nodes = [
    typed("Loader", "loader", { x: 0, y: 0 }),
    typed("Text", "one", { x: 360, y: 0 }, ["loader"]),
    typed("Text", "two", { x: 360, y: 160 }, ["loader"]),
    typed("Text", "three", { x: 0, y: 0 }, ["loader"]),
  ];
  expect(placed(graphOf(nodes), ["three"]).at("three")).toEqual([{ x: 360, y: 320 }]);
});

it("so does one that takes from what is put in before all of them", () => {
  const nodes = [
    typed("Loader", "loader", { x: 0, y: 0 }),
    typed("Change", "change", { x: 0, y: 0 }, ["loader"]),
    typed("Text", "one", { x: 360, y: 0 }, ["change"]),
    typed("Text", "two", { x: 360, y: 160 }, ["change"]),
    typed("Text", "three", { x: 0, y: 0 }, ["change"]),
  ];
  expect(placed(graphOf(nodes), ["change", "three"]).at("three")).toEqual([{ x: 360, y: 320 }]);
});

it("the only one like it that feeds the same has it below, clear of the frame around that", () => {
  const nodes = [
    typed("Load", "first", { x: 0, y: 0 }),
    typed("Encode", "encoded", { x: 360, y: 0 }, ["first"]),
    typed("Join", "joint", { x: 720, y: 0 }, ["encoded", "more"]),
    typed("Load", "last", { x: 0, y: 0 }),
    typed("Encode", "more", { x: 0, y: 0 }, ["last"]),
  ];
  const groups = [
    { title: "Picture", nodes: ["first"], bounds: { x: -10, y: -70, width: 320, height: 200 } },
  ];
  expect(placed(graphOf(nodes, groups), ["last", "more"]).at("last", "more")).toEqual([
    { x: 0, y: 180 },
    { x: 360, y: 180 },
  ]);
});
