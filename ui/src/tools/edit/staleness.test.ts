import { describe, expect, it } from "vitest";
import { applyWorkflow } from "../applyWorkflow";
import { editWorkflow } from "../editWorkflow";
import { getWorkflowInfo } from "../getWorkflowInfo";
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
