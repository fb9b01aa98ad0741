import { expect, it } from "vitest";
import type { LiveWidget, Page } from "../page";
import { fakePerson } from "../undo/fakeTracker";
import { noteRunWrites } from "./runWrites";

function page() {
  const seed = { name: "seed", value: 0 } as LiveWidget;
  const text = { name: "text", value: "a" } as LiveWidget;
  const graph = { nodes: [{ id: 3, widgets: [text, seed] }], subgraphs: new Map() };
  const [first, second] = [{ path: "a.json" }, { path: "b.json" }];
  const state = { open: first, during: () => {}, after: () => {} };
  const api = {
    queuePrompt: async () => {
      state.during();
    },
    dispatchCustomEvent(_type: string, _detail: object) {
      text.value = "shown";
    },
  };
  const app = {
    graph,
    async queuePrompt(): Promise<void> {
      seed.value = 11;
      await api.queuePrompt();
      seed.value = 12;
      state.after();
    },
  };
  const { hearPerson, acts } = fakePerson();
  const live = { app, api } as unknown as Page;
  const byRuns = noteRunWrites(live, hearPerson, () => state.open);
  return { graph, seed, text, state, first, second, acts, run: () => app.queuePrompt(), api, byRuns };
}

it("what the page writes before and after a run is sent is its own, by index and by name", async () => {
  const { run, byRuns, first, second } = page();
  await run();
  for (const value of [11, 12])
    for (const place of ["1", "seed"]) expect(byRuns(first)("", "3", place, value)).toBe(true);
  expect(byRuns(first)("", "3", "1", 0)).toBe(false);
  expect(byRuns(first)("", "3", "0", "a")).toBe(false);
  expect(byRuns(first)("s", "3", "1", 11)).toBe(false);
  expect(byRuns(second)("", "3", "1", 11)).toBe(false);
});

it("what the person writes while a run is on its way is theirs, and what the page writes upon the answer is not", async () => {
  const { run, byRuns, first, state, acts, text } = page();
  state.during = () => {
    acts();
    text.value = "by hand";
  };
  await run();
  expect(byRuns(first)("", "3", "0", "by hand")).toBe(false);
  for (const value of [11, 12]) expect(byRuns(first)("", "3", "1", value)).toBe(true);
});

it("a widget that goes away in a run leaves the others by their names as they were", async () => {
  const { run, byRuns, first, state, graph } = page();
  const { widgets } = graph.nodes[0] as (typeof graph.nodes)[0];
  widgets.push({ name: "steps", value: 20 } as LiveWidget);
  state.after = () => void widgets.splice(0, 1);
  await run();
  expect(byRuns(first)("", "3", "1", 20)).toBe(true);
  expect(byRuns(first)("", "3", "steps", 20)).toBe(false);
});

it("what is written when no run is on its way, or in another workflow, is nobody's", async () => {
  const { run, byRuns, first, second, state, seed } = page();
  state.after = () => {
    seed.value = 13;
    state.open = second;
  };
  await run();
  seed.value = 14;
  for (const value of [13, 14]) {
    expect(byRuns(first)("", "3", "1", value)).toBe(false);
    expect(byRuns(second)("", "3", "1", value)).toBe(false);
  }
});

it.each([
  ["executed", "3", true],
  ["executed", "7:3", true],
  ["executed", "4", false],
  ["progress", "3", false],
])("what a node writes when it hears %s of %s is the run's: %s", (type, node, isByRun) => {
  const { api, byRuns, first } = page();
  api.dispatchCustomEvent(type, { node, output: { text: ["shown"] } });
  expect(byRuns(first)("", "3", "text", "shown")).toBe(isByRun);
});

it("a run that is refused leaves its answer and its error as they are", async () => {
  const { run, state, byRuns, first } = page();
  state.during = () => {
    throw new Error("refused");
  };
  await expect(run()).rejects.toThrow("refused");
  expect(byRuns(first)("", "3", "1", 11)).toBe(true);
});
