import { expect, it } from "vitest";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { openWorkflow } from "./read/sources";
import { roomOf } from "./room";
import { edit } from "./testing/editCalls";
import { testCalls } from "./testing/testCall";
import { runTool, type Tool } from "./tool";
import { undoTurn } from "./undoTurn";

function undoing(undo: () => Promise<readonly string[] | undefined>) {
  const calls = testCalls(["EmptyImage"]);
  const { comfy } = calls;
  const run = () =>
    runTool(undoTurn as Tool, {}, comfy, {
      signal: new AbortController().signal,
      room: roomOf(),
      onProgress: () => {},
      confirm: async () => true,
      undo,
    });
  return { calls, comfy, run };
}

it("undoes the newest turn, and tells what became different", async () => {
  const { comfy, run } = undoing(() => comfy.toggleTurn("t"));
  comfy.edit((editor) => editor.setWidget("1", "width", 64), { turn: "t" });
  expect(await run()).toMatchObject({
    ok: true,
    summary: "Undid your turn: changed 1 EmptyImage width=64→512. The user can redo it in the chat.",
    told: ["changes"],
    data: { changes: { changed: { 1: "EmptyImage width=64→512" } } },
  });
});

it("tells none of it as the person's afterwards, groups neither, and groups of theirs still", async () => {
  const { calls, comfy, run } = undoing(() => comfy.toggleTurn("t"));
  calls.turn = "t";
  await calls.call(getWorkflowInfo);
  await edit(calls, { op: "group", nodes: ["1"], title: "Mine" });
  expect(await run()).toMatchObject({
    data: { changes: { removed: { 'group "Mine"': expect.anything() } } },
  });
  calls.turn = "u";
  const set = { op: "set", nodes: ["1"], widgets: { width: 8 } };
  expect(await edit(calls, set)).not.toHaveProperty("data.changedByTheUser");
  comfy.edit((editor) => editor.addGroup("Theirs", [editor.addNode("EmptyImage")]));
  expect(await edit(calls, { ...set, widgets: { width: 16 } })).toMatchObject({
    data: { changedByTheUser: expect.arrayContaining([expect.stringContaining("Theirs")]) },
  });
});

it("names the workflow that is open afterwards where that is another one, and tells no changes between both", async () => {
  const { comfy, run } = undoing(async () => {
    await comfy.openTab("second");
    return [];
  });
  comfy.addTab({ key: "second", name: "Second", isModified: false });
  expect(await run()).toEqual({
    ok: true,
    summary:
      'Undid your turn, which had opened another workflow. Now open: "Second". The user can redo it in the chat.',
    data: { workflow: "Second" },
    outside: [openWorkflow],
  });
});

it.each([
  ["nothing to undo", undefined, "There is no turn of yours here that can be undone."],
  ["something in the way", ["1 EmptyImage changed since"], "Nothing was undone: 1 EmptyImage changed since."],
])("says plainly that there is %s", async (_, inTheWay, error) => {
  const { run } = undoing(async () => inTheWay);
  expect(await run()).toMatchObject({ ok: false, error });
});
