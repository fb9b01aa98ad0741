import { expect, it } from "vitest";
import type { GraphGroup, GraphNode, Point } from "./graph";
import { notesAt } from "./notes";
import { imageNode } from "./testNodes";

const note = (id: string, at: Point): GraphNode => ({ ...imageNode(id, at), inputs: [], outputs: [] });
const at = (nodes: GraphNode[], ids: readonly string[], groups: GraphGroup[] = []) =>
  notesAt({ scope: { kind: "workflow" }, nodes, groups, selection: [] }, new Set(ids)).map(({ id }) => id);

it("takes a note for that of the node over it, not of a nearer one beside it", () => {
  const nodes = [
    imageNode("1", { x: 0, y: 0 }),
    imageNode("2", { x: -310, y: 140 }),
    note("3", { x: 0, y: 150 }),
  ];
  expect(at(nodes, ["1"])).toEqual(["3"]);
  expect(at(nodes, ["2"])).toEqual([]);
});

it("takes a note under a note and one beside a node along, and none across a corner or far away", () => {
  const nodes = [
    imageNode("1", { x: 0, y: 0 }),
    note("under", { x: 0, y: 150 }),
    note("under that", { x: 0, y: 300 }),
    note("beside", { x: 340, y: 0 }),
    note("corner", { x: -310, y: -290 }),
    note("far", { x: 0, y: 900 }),
  ];
  expect(at(nodes, ["1"])).toEqual(["under", "under that", "beside"]);
});

it("takes a note over a group for that of the group, which goes as a whole", () => {
  const nodes = [
    imageNode("1", { x: 0, y: 0 }),
    imageNode("2", { x: 0, y: 160 }),
    note("over", { x: 0, y: -190 }),
  ];
  const groups = [{ title: "Group", nodes: ["1", "2"], bounds: { x: -10, y: -70, width: 320, height: 350 } }];
  expect(at(nodes, ["1", "2"], groups)).toEqual(["over"]);
  expect(at(nodes, ["1"], groups)).toEqual([]);
});
