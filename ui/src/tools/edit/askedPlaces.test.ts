import { expect, it } from "vitest";
import type { GraphGroup, Point } from "../../graph/graph";
import { imageNode } from "../../graph/testNodes";
import { settleAsked } from "./askedPlaces";
import type { DraftGraph } from "./draftGraphs";

const bounds = { x: -10, y: -70, width: 720, height: 180 };

/** The frame of nodes at these places, once each has gone its own way. */
function frameOf(...moves: [from: Point, to: Point][]) {
  const nodes = moves.map(([, to], index) => imageNode(String(index), to));
  const groups: GraphGroup[] = [{ title: "Group", nodes: ["0", "1"], bounds }];
  const graph = { scope: { kind: "workflow" }, nodes, groups, selection: [] };
  const at = { place: [], definition: undefined, graph } as unknown as DraftGraph;
  const placed = new Map(nodes.map((node, index) => [node, moves[index]?.[0] as Point]));
  const settled = settleAsked({
    asked: nodes.map((node) => ({ at, nodes: [node] as const })),
    ...{ placed, unplaced: new Map() },
  });
  return settled.frames.get(at)?.get(0);
}

it("takes a frame along with all its nodes, and leaves it where one moves within it", () => {
  const [left, right] = [
    { x: 0, y: 0 },
    { x: 400, y: 0 },
  ];
  expect(frameOf([left, { x: 0, y: 900 }], [right, { x: 400, y: 900 }])).toEqual({ ...bounds, y: 830 });
  expect(frameOf([left, { x: 0, y: 900 }], [right, { x: 0, y: 1100 }])).toEqual({
    ...{ x: -10, y: 830, width: 320, height: 380 },
  });
  expect(frameOf([left, right], [right, left])).toBeUndefined();
});
