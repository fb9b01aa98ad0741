import { expect, it } from "vitest";
import { buildWorkflow } from "../../graph/compact/build";
import type { CompactNode, CompactWorkflow } from "../../graph/compact/workflow";
import { presentNodes } from "./presentNodes";

const values = [{ name: "file", value: "a.pt" }];
const node: CompactNode = { id: "1", type: "Loader", mode: "active", links: [], values, shown: [] };
const open: CompactWorkflow = { nodes: [node], groups: [], subgraphs: [] };
const saved = {
  id: 1,
  type: "Loader",
  color: "#232",
  boxcolor: "#f00",
  order: 3,
  widgets_values: ["a.pt"],
  widgets_values_named: { file: "a.pt" },
  extensions: { "pack.notes": { text: "mine" } },
};

it("A node that is written anew keeps what a page or a pack saves of it, and its values by name as long as they hold", () => {
  const source = { workflow: { nodes: [saved], links: [] }, widgets: () => values };
  const { kept } = presentNodes(source, open, () => undefined);
  const others = { color: "#232", boxcolor: "#f00", extensions: saved.extensions, properties: {} };

  expect(kept(undefined, node)?.fields).toEqual({ ...others, widgets_values_named: { file: "a.pt" } });
  const changed = { ...node, values: [{ name: "file", value: "b.pt" }] };
  expect(kept(undefined, changed)?.fields).toEqual(others);
});

it("A subgraph goes on showing the pictures of inner nodes, of which its line says nothing, as long as these are there", () => {
  const preview = "$$canvas-image-preview";
  const instance: CompactNode = { ...node, type: "S1", values: [] };
  const inner = { id: "in", key: "S1", name: "Inner", inputs: [], outputs: [], groups: [] };
  const written = { ...open, nodes: [instance], subgraphs: [{ ...inner, nodes: [{ ...node, id: "3" }] }] };
  const workflow = {
    nodes: [
      {
        ...{ id: 1, type: "in", order: 0, widgets_values: [] },
        properties: {
          proxyWidgets: [["3", preview]],
          previewExposures: [{ sourceNodeId: "4", sourcePreviewName: preview }],
        },
      },
    ],
    links: [],
    definitions: { subgraphs: [{ id: "in", name: "Inner", nodes: [], links: [] }] },
  };
  const shapeOf = () => undefined;
  const { kept } = presentNodes({ workflow, widgets: () => [] }, written, shapeOf);
  const { nodes } = buildWorkflow(written, { shapeOf, newUuid: () => "new", kept });
  expect(nodes).toMatchObject([{ properties: { proxyWidgets: [["3", preview]] } }]);
});
