import { expect, it } from "vitest";
import type { LiveWorkflow, Page } from "./page";
import { readTabs } from "./tabs";

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
