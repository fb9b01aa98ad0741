import { describe, expect, it } from "vitest";
import { applyWorkflow } from "../applyWorkflow";
import { editWorkflow } from "../editWorkflow";
import { getWorkflowInfo } from "../getWorkflowInfo";
import { roomOf } from "../room";
import { testCalls } from "../testing/testCall";

/** An image inside a subgraph that nodes 4 and 50 show, as the model has read it. */
async function shownTwice() {
  const calls = testCalls();
  const inner = ['subgraph S1 "Inner" in() out(IMAGE<1)', "1 EmptyImage", "2 EmptyImage", "end"];
  const saves = ["3 SaveImage images<4", "5 SaveImage images<50"];
  await calls.call(applyWorkflow, { workflow: ["4 S1", "50 S1", ...saves, ...inner].join("\n") });
  await calls.call(getWorkflowInfo);
  return {
    ...calls,
    byHand: (id: string, widget: string, value: number) =>
      calls.comfy.edit((editor) => editor.within(["4"]).setWidget(id, widget, value)),
    set: (id: string, widget: string, value: number) =>
      calls.call(editWorkflow, { operations: [{ op: "set", nodes: [id], widgets: { [widget]: value } }] }),
    width: () => calls.comfy.node("1", ["4"])?.widgets[0]?.value,
  };
}

describe("what the person has changed in a subgraph that several nodes show", () => {
  it.each(["4:1", "50:1"])("is not overwritten under the path %s", async (path) => {
    const { byHand, set, width } = await shownTwice();
    byHand("1", "width", 999);
    expect(await set(path, "width", 8)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/user has changed.*~ 4:1 EmptyImage width=512→999 \(also 50:1\)/),
    });
    expect(width()).toBe(999);
  });

  it("does not keep other nodes of it from being changed", async () => {
    const { byHand, set, width } = await shownTwice();
    byHand("1", "width", 999);
    expect(await set("50:2", "width", 8)).toMatchObject({
      ok: true,
      data: { changedByTheUser: ["~ 4:1 EmptyImage width=512→999 (also 50:1)"] },
    });
    expect(width()).toBe(999);
  });
});

it("lets a value change unseen that a link feeds", async () => {
  const { call, comfy } = testCalls(["PrimitiveInt", "EmptyImage"], ["1.INT>2.height"]);
  await call(getWorkflowInfo);
  comfy.edit((editor) => editor.setWidget("1", "value", 7));
  comfy.edit((editor) => editor.setWidget("2", "height", 7));
  const operations = [{ op: "set", nodes: ["2"], widgets: { width: 8 } }];
  expect(await call(editWorkflow, { operations })).toMatchObject({
    ok: true,
    data: { changedByTheUser: ["~ 1 PrimitiveInt value=0→7"] },
  });
});

it("says of an older revision that it is one, where only the assistant has changed anything", async () => {
  const { call } = testCalls(["EmptyImage"]);
  const read = await call(getWorkflowInfo);
  const { revision } = (read as { data: { revision: string } }).data;
  const set = (width: number, more = {}) =>
    call(editWorkflow, { operations: [{ op: "set", nodes: ["1"], widgets: { width } }], ...more });
  await set(64);
  expect(await set(128, { revision })).toMatchObject({
    ok: false,
    error: expect.stringContaining(
      `revision ${revision} is older than what you were shown last, and differs where this edit acts. Changes: ~ 1`,
    ),
  });
});

describe("what a reading did not show", () => {
  /** An image and a sampler that the model has read, of which the person has then changed the image. */
  async function changedSince() {
    const calls = testCalls(["EmptyImage", "KSampler", "EmptyImage"]);
    await calls.call(getWorkflowInfo);
    calls.comfy.edit((editor) => editor.setWidget("1", "width", 999));
    const set = (node: string, widgets: object) =>
      calls.call(editWorkflow, { operations: [{ op: "set", nodes: [node], widgets }] });
    return { ...calls, set, setWidth: () => set("1", { width: 8 }) };
  }

  const refusal = {
    ok: false,
    error: expect.stringContaining("user has changed the workflow since you read it, where this edit acts"),
  };

  it.each([
    ["another node", { nodeIds: ["2"] }],
    ["what is around another node", { view: "around", nodeIds: ["2"] }],
    ["the selection", { view: "selection" }],
    ["an outline", { view: "outline" }],
  ])("is not overwritten after a reading of %s", async (_, args) => {
    const { call, comfy, setWidth } = await changedSince();
    comfy.select("2");
    expect(await call(getWorkflowInfo, args)).toMatchObject({
      data: { changedByTheUser: "Since you read them: 1; view changes tells what." },
    });
    expect(await setWidth()).toMatchObject(refusal);
    expect(comfy.node("1")?.widgets[0]?.value).toBe(999);
    expect(await setWidth()).toMatchObject({ ok: true });
  });

  it.each([
    ["the node", { nodeIds: ["1"] }],
    ["what is around it", { view: "around", nodeIds: ["1"] }],
    ["all", {}],
    ["what changed", { view: "changes" }],
  ])("is known after a reading of %s", async (_, args) => {
    const { call, setWidth } = await changedSince();
    await call(getWorkflowInfo, { nodeIds: ["2"] });
    expect(await call(getWorkflowInfo, args)).not.toHaveProperty("data.changedByTheUser");
    expect(await setWidth()).toMatchObject({ ok: true });
  });

  it("is told as changed after a reading of another node, once", async () => {
    const { call } = await changedSince();
    await call(getWorkflowInfo, { nodeIds: ["2"] });
    const changes = async () => await call(getWorkflowInfo, { view: "changes" });
    expect(await changes()).toMatchObject({ data: { text: "~ 1 EmptyImage width=512→999" } });
    expect(await changes()).toMatchObject({ data: { text: "Nothing changed." } });
  });

  it("stays unseen after an edit of another node on the revision of a part, which tells it", async () => {
    const { call, set, setWidth } = await changedSince();
    const part = (await call(getWorkflowInfo, { nodeIds: ["2"] })) as { data: { revision: string } };
    const operations = [{ op: "set", nodes: ["1"], widgets: { width: 8 } }];
    expect(await call(editWorkflow, { operations, revision: part.data.revision })).toMatchObject(refusal);
    expect(await set("2", { steps: 30 })).toMatchObject({ ok: true });
    expect(await setWidth()).toMatchObject({ ok: true });
  });

  it("counts a new node as seen by its name in an outline", async () => {
    const { call, comfy, set } = await changedSince();
    const added = comfy.edit((editor) => editor.addNode("EmptyImage"));
    await call(getWorkflowInfo, { view: "outline" });
    expect(await set(added, { width: 8 })).toMatchObject({ ok: true });
    expect(await set("1", { width: 8 })).toMatchObject({ ok: true });
  });
});

describe("many changes by the person", () => {
  async function manyChanged() {
    const calls = testCalls(Array.from({ length: 20 }, () => "EmptyImage"));
    await calls.call(getWorkflowInfo);
    for (let id = 1; id <= 18; id++)
      calls.comfy.edit((editor) => editor.setWidget(`${id}`, "width", 100 + id));
    const set = (node: string) =>
      calls.call(editWorkflow, { operations: [{ op: "set", nodes: [node], widgets: { height: 8 } }] });
    return { ...calls, set };
  }

  it("are told first where an edit acts, and the others stay unseen", async () => {
    const { set, call } = await manyChanged();
    expect(await set("17")).toMatchObject({
      ok: false,
      error: expect.stringMatching(/Changes: ~ 17 EmptyImage width=512→117; .* and 6 more changes/s),
    });
    expect(await set("17")).toMatchObject({ ok: true });
    expect(await set("18")).toMatchObject({ ok: true });
    expect(await call(getWorkflowInfo, { view: "changes" })).toMatchObject({
      data: { text: "Nothing changed." },
    });
  });

  it("are not seen for being counted beside an edit elsewhere", async () => {
    const { set } = await manyChanged();
    expect(await set("20")).toMatchObject({
      ok: true,
      data: { changedByTheUser: expect.arrayContaining([expect.stringContaining("and 6 more changes")]) },
    });
    expect(await set("18")).toMatchObject({ ok: false });
    expect(await set("18")).toMatchObject({ ok: true });
  });

  it("are told in parts where a reading has no room for all", async () => {
    const calls = await manyChanged();
    calls.room = roomOf(230);
    const lines: string[] = [];
    for (;;) {
      const { data } = (await calls.call(getWorkflowInfo, { view: "changes" })) as {
        data: { text: string; leftOut?: string };
      };
      lines.push(...data.text.split("\n"));
      if (!data.leftOut) break;
      expect(data.leftOut).toContain("Call it again for the next.");
    }
    expect(lines).toEqual(
      Array.from({ length: 18 }, (_, index) => `~ ${index + 1} EmptyImage width=512→${101 + index}`),
    );
  });
});
