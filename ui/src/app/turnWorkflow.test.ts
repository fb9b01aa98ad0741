import { describe, expect, it } from "vitest";
import type { Turn } from "../chat/turn/turns";
import type { Workflow } from "../comfy/bridge";
import { isWorkflowOf, told } from "./turnWorkflow";

const open: Workflow = { key: "1", name: "fox", file: "workflows/fox.json", id: "a", isModified: true };
const { file, ...unsaved } = open;
const turn: Turn = { id: "u#1", thread: "t", message: "u", workflow: "1", lastRead: undefined };

it("tells the workflow of a turn only while that is open", () => {
  expect(told(open, turn)).toEqual({ name: "fox", file, id: "a" });
  expect(told({ ...open, key: "2" }, turn)).toBeUndefined();
  expect(told(open, { ...turn, begunBy: "another page" })).toBeUndefined();
  expect(told(open, undefined)).toBeUndefined();
});

describe("isWorkflowOf", () => {
  it.each([
    ["the same file, whatever is in it", open, { name: "fox", file, id: "b" }, true],
    [
      "a file of the same name in another folder",
      open,
      { name: "fox", file: "workflows/old/fox.json", id: "a" },
      false,
    ],
    ["one that was never saved, beside a file", open, { name: "fox", id: "a" }, false],
    ["another one that was never saved", unsaved, { name: "fox", id: "b" }, false],
    ["a copy of one that was never saved", unsaved, { name: "fox", id: "a" }, true],
    ["one of which only the name is known", { ...unsaved, id: undefined as never }, { name: "fox" }, false],
  ])("another page's: %s", (_, here, meant, isSame) => {
    expect(isWorkflowOf("another page", here, meant as never)).toBe(isSame);
  });

  it.each([
    ["saved since, under another name", open, { name: "Unsaved Workflow", id: "a" }, true],
    ["with a graph that has another id since", unsaved, { name: "fox", id: "b" }, true],
    ["another one", open, { name: "owl", file: "workflows/owl.json", id: "b" }, false],
  ])("of the page before: %s", (_, here, meant, isSame) => {
    expect(isWorkflowOf("page before", here, meant)).toBe(isSame);
  });
});
