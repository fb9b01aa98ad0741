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

it("Lines are the open workflow written anew where most nodes that bear an id of it have its type", () => {
  const nodes = ["1", "2", "3", "4"].map((id): CompactNode => ({ ...node, id }));
  const source = {
    workflow: { nodes: nodes.map(({ id }) => ({ ...saved, id: Number(id) })), links: [] },
    widgets: () => values,
  };
  const { isBasisOf } = presentNodes(source, { ...open, nodes }, () => undefined);
  const withOthers = (count: number) => ({
    ...open,
    nodes: [
      ...nodes.map((each, index) => (index < count ? { ...each, type: "Other" } : each)),
      { ...node, id: "9" },
    ],
  });

  expect([0, 1, 2, 4].map((count) => isBasisOf(withOthers(count)))).toEqual([true, true, false, false]);
  expect(isBasisOf({ ...open, nodes: [{ ...node, id: "9" }] })).toBe(false);
});
