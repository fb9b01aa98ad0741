import { beforeEach, expect, it } from "vitest";
import type { GraphChange } from "../chat/calls/graphChanges";
import { createFakeComfy, type FakeComfy } from "../comfy/fake";
import { createShowChanges } from "./showChanges";

let comfy: FakeComfy;

beforeEach(() => {
  comfy = createFakeComfy();
  comfy.edit((editor) => {
    for (const type of ["EmptyImage", "ImageInvert", "SaveImage"]) editor.addNode(type);
  });
});

const show = (changes: readonly GraphChange[], workflow?: string) =>
  createShowChanges(comfy)(changes, workflow);
const added: GraphChange = { kind: "added", name: "1", what: "EmptyImage" };
const changed: GraphChange = { kind: "changed", name: "3", what: "SaveImage filename_prefix=a→b" };
const removed: GraphChange = { kind: "removed", name: "9", what: "VAEDecode" };

it("outlines what is there of the changes, and moves the view to it", async () => {
  expect(await show([added, changed, removed])).toBe(true);
  expect(comfy.marks).toMatchObject({ added: ["1"], changed: ["3"] });
  expect(comfy.seen).toEqual([{ nodes: ["1", "3"], always: true }]);
});

it("shows the node of a subgraph for what lies in it", async () => {
  const host = comfy.edit((editor) => editor.makeSubgraph(["2"], "Inner"));
  const [inner] = comfy.graph([host]).nodes;
  expect(await show([{ kind: "changed", name: `${host}:${inner?.id}`, what: "ImageInvert" }])).toBe(true);
  expect(comfy.seen).toEqual([{ nodes: [host], always: true }]);
});

it("goes to the workflow that was changed", async () => {
  const { key } = comfy.workflow();
  const other = { key: "workflows/Other.json", name: "Other", isModified: false };
  comfy.addTab(other);
  await comfy.openTab(other.key);
  expect(await show([added], key)).toBe(true);
  expect(comfy.workflow().key).toBe(key);
});

it.each<[string, GraphChange[], string?]>([
  ["is gone", [{ ...added, name: "7" }, removed]],
  ["is a node of another type by now", [{ ...added, what: "VAEDecode" }]],
  ["lay in a subgraph that is gone", [{ ...added, name: "8:1" }]],
  ["is in a workflow that is closed", [added], "workflows/Closed.json"],
])("says so where what was changed %s", async (_, changes, workflow) => {
  expect(await show(changes, workflow)).toBe(false);
  expect(comfy.seen).toEqual([]);
});
