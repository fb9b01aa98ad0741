import { expect, it } from "vitest";
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
