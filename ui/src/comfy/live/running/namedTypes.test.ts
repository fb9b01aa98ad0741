import { expect, it } from "vitest";
import type { LiveApp, LiveGraph, LiveNode } from "../page";
import { withNamedTypes } from "./namedTypes";

const graphOf = (...nodes: object[]) => ({ nodes }) as unknown as LiveGraph;
const inner = { id: 17, type: "NotHere" } as LiveNode;
const app = {
  graph: graphOf({ id: 6, type: "of-a-subgraph", subgraph: graphOf(inner) }, { id: "2", type: "Gone" }),
} as LiveApp;

it("names the types that the page knows and ComfyUI does not, also inside of subgraphs", () => {
  const problems = [
    { node: "6:17", type: "?", message: "" },
    { node: "2", type: "SaveImage", message: "" },
    { node: "2:3", type: "?", message: "" },
  ];
  const named = withNamedTypes(app, { problems }).problems.map(({ type }) => type);
  expect(named).toEqual(["NotHere", "SaveImage", "?"]);
});
