import { describe, expect, it } from "vitest";
import type { NodeId } from "../../../graph/graph";
import { editWorkflow } from "../../editWorkflow";
import { getWorkflowInfo } from "../../getWorkflowInfo";
import { testCalls } from "../../testing/testCall";

/** An image in subgraph node 4 that is inverted and saved, as the model has read it. */
async function read() {
  const calls = testCalls(
    ["EmptyImage", "ImageInvert", "SaveImage"],
    ["1.IMAGE>2.image", "2.IMAGE>3.images"],
  );
  await calls.call(editWorkflow, { operations: [{ op: "makeSubgraph", nodes: ["1"] }] });
  await calls.call(getWorkflowInfo);
  return calls;
}

describe("an operation on a node that the person has changed since", () => {
  it.each<[object, NodeId[]]>([
    [{ op: "remove", nodes: ["2"] }, ["2"]],
    [{ op: "connect", from: "4.IMAGE", to: "3.images" }, ["3"]],
    [{ op: "disconnect", to: "3.images" }, ["3"]],
    [{ op: "set", nodes: ["3"], widgets: { filename_prefix: "mine" } }, ["3"]],
    [{ op: "replace", nodes: ["2"], type: "ImageScaleBy" }, ["2"]],
    [{ op: "insert", to: "3.images", type: "ImageInvert" }, ["3"]],
    [{ op: "move", nodes: ["2"], position: { x: 0, y: 0 } }, ["2"]],
    [{ op: "mode", nodes: ["2"], mode: "active" }, ["2"]],
    [{ op: "title", nodes: ["2"], title: "mine" }, ["2"]],
    [{ op: "color", nodes: ["2"], color: "red" }, ["2"]],
    [{ op: "group", nodes: ["2", "3"], title: "mine" }, ["2"]],
    [{ op: "makeSubgraph", nodes: ["2", "3"] }, ["3"]],
    [{ op: "expandSubgraph", nodes: ["4"] }, ["4"]],
    [{ op: "promote", to: "4:1.width" }, ["4", "1"]],
    [{ op: "demote", from: "4.IMAGE" }, ["4"]],
  ])("is refused: %j", async (operation, path) => {
    const { comfy, call } = await read();
    const [place, node] = [path.slice(0, -1), path.at(-1) ?? ""];
    comfy.edit((editor) => editor.within(place).setMode(node, "muted"));
    const before = comfy.graph(place);
    expect(await call(editWorkflow, { operations: [operation] })).toMatchObject({
      ok: false,
      error: expect.stringContaining(
        "the user has changed the workflow since you read it, where this edit acts",
      ),
    });
    expect(comfy.graph(place)).toEqual(before);
  });

  it("is carried out where that node is only linked from", async () => {
    const { comfy, call } = await read();
    comfy.edit((editor) => editor.setMode("4", "muted"));
    const operations = [{ op: "connect", from: "4.IMAGE", to: "3.images" }];
    expect(await call(editWorkflow, { operations })).toMatchObject({ ok: true });
  });
});
