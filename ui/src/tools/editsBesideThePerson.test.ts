import { describe, expect, it } from "vitest";
import { editWorkflow } from "./editWorkflow";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { setNodeWidgetValue } from "./setNodeWidgetValue";
import { edit } from "./testing/editCalls";
import { type TestCalls, testCalls } from "./testing/testCall";

describe("an edit planned before the person changed the workflow", () => {
  const changeByHand = ({ comfy }: TestCalls, node: string, value: number) =>
    comfy.edit((editor) => editor.setWidget(node, "width", value));

  async function read(calls: TestCalls): Promise<string> {
    const result = await calls.call(getWorkflowInfo);
    return (result.ok && (result.data as { revision: string }).revision) || "";
  }

  it("is refused with the changes where it acts on the same node, and fits once they were told", async () => {
    const calls = testCalls(["EmptyImage", "EmptyImage"]);
    await read(calls);
    changeByHand(calls, "1", 77);
    const operation = { op: "set", nodes: ["1"], widgets: { height: 8 } };
    expect(await edit(calls, operation)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/user has changed.*~ 1 EmptyImage width=(512→)?77/),
      hint: expect.stringContaining("send the same call again"),
    });
    expect(calls.lines()[0]).toBe("1 EmptyImage width=77 >IMAGE");
    expect(await edit(calls, operation)).toMatchObject({ ok: true });
  });

  it("is carried out where it acts elsewhere, and tells what the person did", async () => {
    const calls = testCalls(["EmptyImage", "EmptyImage"]);
    await read(calls);
    changeByHand(calls, "1", 77);
    expect(await edit(calls, { op: "set", nodes: ["2"], widgets: { width: 8 } })).toMatchObject({
      ok: true,
      data: { changedByTheUser: [expect.stringMatching(/^~ 1 EmptyImage/)] },
    });
    expect(calls.lines()).toEqual(["1 EmptyImage width=77 >IMAGE", "2 EmptyImage width=8 >IMAGE"]);
  });

  it.each([
    ["1", "height", 8],
    ["1", "width", "8"],
  ])("is offered no other call where only that speaks against it", async (node, widget, value) => {
    const calls = testCalls(["EmptyImage"]);
    await read(calls);
    changeByHand(calls, "1", 77);
    const refused = await calls.call(setNodeWidgetValue, { node, widget, value });
    expect(refused).toMatchObject({
      ok: false,
      error: expect.stringContaining("~ 1 EmptyImage width"),
      hint: expect.stringContaining("send the same call again"),
    });
    expect(refused).not.toHaveProperty("sendInstead");
    expect(await calls.call(setNodeWidgetValue, { node, widget, value })).toMatchObject({ ok: true });
  });

  it("tells its own fault, and what the person did beside it", async () => {
    const calls = testCalls(["EmptyImage", "KSampler"]);
    await read(calls);
    changeByHand(calls, "1", 77);
    const wrong = { op: "set", nodes: ["2"], widgets: { stepz: 8 } };
    expect(await edit(calls, wrong)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/stepz.*Since you read it, the user has changed: ~ 1 EmptyImage width/),
    });
    expect(await edit(calls, wrong)).toMatchObject({
      error: expect.not.stringContaining("user has changed"),
    });
  });

  it("is refused with the changes where a node that it needs is gone", async () => {
    const calls = testCalls(["EmptyImage", "EmptyImage"]);
    await read(calls);
    calls.comfy.edit((editor) => editor.removeNode("1"));
    const set = { op: "set", nodes: ["1"], widgets: { width: 8 } };
    const refused = await edit(calls, set);
    expect(refused).toMatchObject({ ok: false, error: expect.stringContaining("- 1 EmptyImage") });
    expect(await edit(calls, set)).toMatchObject({
      ok: false,
      error: expect.not.stringContaining("user has changed"),
    });
  });

  it("counts from the revision that it names", async () => {
    const calls = testCalls(["EmptyImage"]);
    const revision = await read(calls);
    changeByHand(calls, "1", 77);
    const newer = await read(calls);
    const operations = [{ op: "set", nodes: ["1"], widgets: { height: 8 } }];
    expect(await calls.call(editWorkflow, { operations, revision })).toMatchObject({
      ok: false,
      hint: expect.stringContaining(`send it with revision ${newer}`),
    });
    expect(await calls.call(editWorkflow, { operations, revision: "01234567" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("revision 01234567 is none of"),
    });
    expect(await calls.call(editWorkflow, { operations, revision: await read(calls) })).toMatchObject({
      ok: true,
    });
  });

  it("is refused on another workflow", async () => {
    const calls = testCalls(["EmptyImage"]);
    const revision = await read(calls);
    calls.comfy.openWorkflow({ key: "workflows/Other.json", name: "Other", isModified: false });
    calls.comfy.edit((editor) => editor.removeNode("1"));
    const operations = [{ op: "add", type: "EmptyImage" }];
    expect(await calls.call(editWorkflow, { operations, revision })).toMatchObject({
      ok: false,
      code: "other-workflow",
    });
  });

  it("does not mind a seed that a run has moved on", async () => {
    const calls = testCalls(["KSampler"]);
    await read(calls);
    calls.comfy.edit((editor) => editor.setWidget("1", "seed", 77));
    expect(await edit(calls, { op: "set", nodes: ["1"], widgets: { steps: 8 } })).toMatchObject({ ok: true });
  });

  it("does not mind moved nodes", async () => {
    const calls = testCalls(["EmptyImage"]);
    await read(calls);
    calls.comfy.edit((editor) => editor.moveNode("1", { x: 900, y: 900 }));
    expect(await edit(calls, { op: "set", nodes: ["1"], widgets: { height: 8 } })).toMatchObject({
      ok: true,
    });
    expect(calls.comfy.node("1")?.position).toEqual({ x: 900, y: 900 });
  });
});
