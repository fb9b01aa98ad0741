import { expect, it } from "vitest";
import type { LiveWorkflow, Page } from "../page";
import { createTabOrder, readTabs } from "./tabs";

const tab = (path: string, nodes: number) =>
  ({ path, activeState: { nodes: Array(nodes).fill({}) } }) as unknown as LiveWorkflow;

it("counts the nodes on the canvas as they are now, and those of other tabs as they are kept", () => {
  const [open, other] = [tab("a", 0), tab("b", 2)];
  const workflow = { activeWorkflow: { ...open }, openWorkflows: [open, other, { path: "c" }] };
  const page = { app: { graph: { nodes: [{}] }, extensionManager: { workflow } } } as unknown as Page;
  expect(readTabs(page, ({ path }) => path)).toEqual([
    { key: "a", name: "a", nodes: 1 },
    { key: "b", name: "b", nodes: 2 },
    { key: "c", name: "c" },
  ]);
});

it("counts those inside of subgraphs once, as a reading does", () => {
  const inner = { id: "in", nodes: [{ type: "EmptyImage" }, { type: "SaveImage" }] };
  const outer = { id: "out", nodes: [{ type: "in" }, { type: "in" }] };
  const unused = { id: "old", nodes: Array(9).fill({}) };
  const kept = {
    path: "b",
    activeState: {
      nodes: [{ type: "out" }, { type: "out" }, { type: "Note" }],
      definitions: { subgraphs: [inner, outer, unused] },
    },
  };
  const [innerShown, outerShown] = [{ nodes: [{}, {}] }, { nodes: [{}] as object[] }];
  outerShown.nodes = [{ subgraph: innerShown }, { subgraph: innerShown }];
  const graph = { nodes: [{ subgraph: outerShown }, { subgraph: outerShown }, {}] };
  const open = { path: "a", activeState: {} };
  const workflow = { activeWorkflow: open, openWorkflows: [open, kept] };
  const page = { app: { graph, extensionManager: { workflow } } } as unknown as Page;
  expect(readTabs(page, ({ path }) => path).map(({ nodes }) => nodes)).toEqual([7, 7]);
});

it("puts the tab first that was used last, and behind all that were used the newest of the others", () => {
  const { see, lastUsedFirst } = createTabOrder();
  for (const key of ["a", "c", "a"]) see(key);
  const tabs = ["a", "b", "c", "d"].map((key) => ({ key, name: key }));
  expect(lastUsedFirst(tabs).map(({ key }) => key)).toEqual(["a", "c", "d", "b"]);
});
