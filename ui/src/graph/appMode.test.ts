import { describe, expect, it } from "vitest";
import { shownByApp, withId, withoutGone } from "./appMode";
import type { Json } from "./graph";
import type { NodeShape } from "./nodeShape";
import type { JsonObject, UiNode, UiWorkflow } from "./uiWorkflow";

const graph = "8a2c0a91-51f4-4717-883c-605d16ccef83";
const widgetsOf: Record<string, string[]> = { KSampler: ["seed", "steps"], Packed: ["seed"] };

const shapeOf = (type: string): NodeShape | undefined =>
  widgetsOf[type] && {
    ...{ type, title: type, inputs: [], outputs: [], size: { width: 1, height: 1 } },
    widgets: widgetsOf[type].map((name) => ({ name, value: 0 })),
  };

function app(nodes: UiNode[], inputs: Json[], outputs: Json[] = []): JsonObject & UiWorkflow {
  return {
    ...{ id: graph, nodes, links: [] },
    extra: { ds: { scale: 1 }, linearData: { inputs, outputs, title: "Mine" } },
  } as unknown as JsonObject & UiWorkflow;
}

/** Node 3 in a subgraph, whose node 10 shows its seed. */
const packed = (inputs: Json[]) =>
  ({
    ...app([{ id: 10, type: "Packed" }], inputs, ["9"]),
    definitions: {
      subgraphs: [
        {
          ...{ id: "Packed", name: "Packed", inputs: [{ name: "seed", type: "INT" }] },
          nodes: [
            { id: 3, type: "KSampler", inputs: [{ name: "seed", widget: { name: "seed" } }] },
            { id: 9, type: "SaveImage" },
          ],
          links: [{ id: 1, origin_id: -10, origin_slot: 0, target_id: 3, target_slot: 0 }],
        },
      ],
    },
  }) as unknown as JsonObject & UiWorkflow;

const sampler = { id: 3, type: "KSampler" };
const entries = (id: string): Json[] => [
  ["3", "seed"],
  [`${id}:3:steps`, "steps", { height: 2 }],
];

function shown(workflow: JsonObject & UiWorkflow): string[] {
  return shownByApp({
    workflow,
    widgets: (_, id) =>
      widgetsOf[workflow.nodes.find((node) => String(node.id) === id)?.type ?? ""]?.map((name) => ({
        name,
        value: 0,
      })),
  });
}

describe("What an app shows", () => {
  it("is named by node and widget, in both forms of an entry, and by output nodes", () => {
    const nodes = [sampler, { id: 9, type: "SaveImage" }];
    expect(shown(app(nodes, entries(graph), ["9", 12]))).toEqual(["3.seed", "3.steps", "9 SaveImage"]);
    expect(shown({ nodes: [sampler], links: [] } as unknown as JsonObject & UiWorkflow)).toEqual([]);
  });

  it("is not there in another graph, or where the widget is gone", () => {
    expect(shown(app([sampler], entries("another")))).toEqual(["3.seed"]);
    expect(shown(app([{ id: 3, type: "Packed" }], entries(graph)))).toEqual(["3.seed"]);
  });

  it("is what the node of a subgraph shows, of a node inside", () => {
    expect(shown(packed(entries(graph)))).toEqual(["10.seed", "9 SaveImage"]);
  });
});

it("The entries of an app go with the id of the graph, and nothing else of it changes", () => {
  expect(withId(app([sampler], entries(graph)), "another")).toEqual({
    ...app([sampler], entries("another")),
    id: "another",
  });
  expect(withId({ id: graph, nodes: [] }, "another")).toEqual({ id: "another", nodes: [] });
});

it("Entries of nodes and widgets that are gone are taken out of an app, the rest stays", () => {
  const all = [...entries(graph), ["5", "seed"], [`${graph}:6:text`, "text"], [`${graph}:3:cfg`, "cfg"]];
  expect(withoutGone(app([sampler, { id: 6, type: "Unknown" }], all, [9, 6]), shapeOf)).toEqual(
    app([sampler, { id: 6, type: "Unknown" }], [...entries(graph), [`${graph}:6:text`, "text"]], [6]),
  );
  const inner = [
    ["3", "steps"],
    ["10", "seed"],
    ["10", "steps"],
  ];
  expect(withoutGone(packed(inner), shapeOf)).toEqual(packed(inner.slice(0, 2)));
});
