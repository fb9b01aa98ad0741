import { expect, it } from "vitest";
import { graphChangesOf } from "./graphChanges";

it("lists what a result says was added, changed and removed", () => {
  const changes = {
    added: { "12:5": "VAEDecode", 'group "All"': "3 4" },
    changed: { "4": "KSampler steps=20→30" },
    removed: { "7": "SaveImage" },
  };
  expect(graphChangesOf({ ok: true, summary: "", data: { changes } })).toEqual([
    { kind: "added", name: "12:5", what: "VAEDecode" },
    { kind: "added", name: 'group "All"', what: "3 4" },
    { kind: "changed", name: "4", what: "KSampler steps=20→30" },
    { kind: "removed", name: "7", what: "SaveImage" },
  ]);
});

it("shows the lines of an older chat as they are", () => {
  const changes = { added: ["12:5 VAEDecode"], changed: ["4 KSampler steps=20→30"], removed: [] };
  expect(graphChangesOf({ ok: true, summary: "", data: { changes } })).toEqual([
    { kind: "added", name: "", what: "12:5 VAEDecode" },
    { kind: "changed", name: "", what: "4 KSampler steps=20→30" },
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
