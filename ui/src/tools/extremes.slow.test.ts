/** Workflows and values of extreme size: all is done, or refused with the graph as it was. */

import { describe, expect, it } from "vitest";
import { applyWorkflow } from "./applyWorkflow";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { edit } from "./testing/editCalls";
import { testCalls } from "./testing/testCall";
import { validateWorkflow } from "./validateWorkflow";

function chain(count: number) {
  const calls = testCalls();
  const types = ["EmptyImage", ...Array<string>(count - 2).fill("ImageInvert"), "SaveImage"];
  calls.comfy.edit((editor) => {
    for (const type of types) editor.addNode(type);
    for (let id = 1; id < count; id++)
      editor.connect({ node: `${id}`, output: 0 }, { node: `${id + 1}`, input: 0 });
  });
  return calls;
}

describe.each([1_000, 5_000])("a chain of %i nodes", (count) => {
  it("is read within the room, checked and edited, or left as it was", async () => {
    const calls = chain(count);
    const read = await calls.call(getWorkflowInfo);
    expect(read).toMatchObject({ ok: true, data: { nodes: count } });
    expect(calls.room.holds(read)).toBe(true);
    expect(await calls.call(validateWorkflow)).toMatchObject({
      summary: `No problems: ${count} nodes would run.`,
    });

    const before = calls.lines();
    const widen = { op: "set", nodes: ["1"], widgets: { width: 8 } };
    expect(await edit(calls, widen, { op: "remove", nodes: ["no such"] })).toMatchObject({ ok: false });
    expect(calls.lines()).toEqual(before);
    expect(await edit(calls, widen)).toMatchObject({ ok: true });
    expect(calls.lines()).toEqual([expect.stringContaining("width=8"), ...before.slice(1)]);
  }, 180_000);
});

it("a workflow of more nodes than can be applied is refused, and the open one stays", async () => {
  const calls = chain(3);
  const before = calls.lines();
  const workflow = Array.from({ length: 5_000 }, (_, index) => `${index + 1} EmptyImage`).join("\n");
  expect(await calls.call(applyWorkflow, { workflow })).toMatchObject({
    ok: false,
    error: expect.stringContaining("5000 nodes; at most 3000"),
  });
  expect(calls.lines()).toEqual(before);
});

it("a value of a megabyte is kept whole and told in short", async () => {
  const calls = testCalls(["CLIPTextEncode"]);
  const text = "a cat ".repeat(180_000);
  const result = await edit(calls, { op: "set", nodes: ["1"], widgets: { text } });
  expect(result).toMatchObject({ ok: true });
  expect(calls.room.holds(result)).toBe(true);
  expect(calls.comfy.node("1")?.widgets[0]?.value).toBe(text);
  for (const asked of [{}, { values: "full" }]) {
    const read = await calls.call(getWorkflowInfo, asked);
    expect(read).toMatchObject({ ok: true });
    expect(calls.room.holds(read)).toBe(true);
  }
});

it("a subgraph that four nodes show is changed in all of them, and told once", async () => {
  const calls = testCalls();
  const instances = [4, 5, 6, 7].flatMap((id) => [`${id} S1`, `${id + 10} SaveImage images<${id}`]);
  const inner = ['subgraph S1 "Inner" in() out(IMAGE<1)', "1 EmptyImage", "end"];
  await calls.call(applyWorkflow, { workflow: [...instances, ...inner].join("\n") });
  const result = await edit(calls, { op: "set", nodes: ["6:1"], widgets: { width: 8 } });
  expect(result).toMatchObject({ ok: true });
  const widths = ["4", "5", "6", "7"].map((at) => calls.comfy.node("1", [at])?.widgets[0]?.value);
  expect(widths).toEqual([8, 8, 8, 8]);
});
