import { expect, it } from "vitest";
import { graphChangesOf } from "./graphChanges";

it("lists what a result says was added, changed and removed", () => {
  const changes = {
    added: [{ id: "3", type: "KSampler" }],
    changed: [{ id: 4, what: "steps 20 → 30" }],
    removed: [{ id: "7", type: "SaveImage" }],
  };
  expect(graphChangesOf({ ok: true, summary: "", data: { changes } })).toEqual([
    { kind: "added", id: "3", what: "KSampler" },
    { kind: "changed", id: "4", what: "steps 20 → 30" },
    { kind: "removed", id: "7", what: "SaveImage" },
  ]);
});

it("reads nodes that are told in words", () => {
  const changes = { added: ["12:5 VAEDecode"], changed: ["4 KSampler steps 20 → 30"], removed: [] };
  expect(graphChangesOf({ ok: true, summary: "", data: { changes } })).toEqual([
    { kind: "added", id: "12:5", what: "VAEDecode" },
    { kind: "changed", id: "4", what: "KSampler steps 20 → 30" },
  ]);
});

it.each([
  ["a failure", { ok: false, error: "No." }],
  ["a result without changes", { ok: true, summary: "", data: {} }],
  ["changes of another shape", { ok: true, summary: "", data: { changes: { added: "KSampler" } } }],
  ["no result", undefined],
])("lists nothing for %s", (_, result) => {
  expect(graphChangesOf(result)).toEqual([]);
});
