import { describe, expect, it } from "vitest";
import { applyWorkflow } from "./applyWorkflow";
import { connectNodes } from "./connectNodes";
import { editWorkflow } from "./editWorkflow";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { planRuns, runNode } from "./run/planRuns";
import { setNodeWidgetValue } from "./setNodeWidgetValue";
import { testCalls } from "./testing/testCall";

/** A subgraph, node 4, whose width people see as "Video length" and whose picture as "background". */
async function clip() {
  const calls = testCalls(["EmptyImage", "EmptyImage"]);
  const workflow = [
    "4 S1 value_1=64 value_2=32",
    "5 SaveImage images<4.IMAGE",
    'subgraph S1 "Clip" in(image"background" value_1"Video length" value_2) out(IMAGE"finished"<7)',
    "7 EmptyImage width<input.value_1 height<input.value_2",
    "8 ImageInvert image<input",
    "end",
  ].join("\n");
  expect(await calls.call(applyWorkflow, { workflow })).toMatchObject({ ok: true });
  return { ...calls, workflow };
}

describe("what the canvas shows in place of a name", () => {
  it("stands beside the name, in the listing and with all of a node", async () => {
    const { call } = await clip();
    expect(await call(getWorkflowInfo, {})).toMatchObject({
      data: { text: expect.stringContaining('in(image"background" value_1"Video length" value_2)') },
    });
    const { data } = (await call(getWorkflowInfo, { nodeIds: ["4"] })) as { data: { text: string } };
    expect(data.text).toContain('value_1"Video length"=64');
    expect(data.text).toContain('in image"background" IMAGE');
    expect(data.text).toContain('out IMAGE"finished" IMAGE');
  });

  it("names a widget, in whichever case and with underscores", async () => {
    const { call, comfy } = await clip();
    for (const [widget, value] of [
      ["Video length", 80],
      ["video_length", 96],
      ["value_1", 112],
    ] as const) {
      const result = await call(setNodeWidgetValue, { node: "4", widget, value });
      expect(result).toMatchObject({ ok: true, data: { widget: "value_1", value } });
    }
    const set = { op: "set", nodes: ["4"], widgets: { "Video length": 48 } };
    expect(await call(editWorkflow, { operations: [set] })).toMatchObject({ ok: true });
    expect(comfy.node("4")?.widgets[0]?.value).toBe(48);
  });

  it("names what a run varies", async () => {
    const { comfy } = await clip();
    const nodes = { "4:7": { class_type: "EmptyImage", inputs: { width: 64, height: 32 } } };
    const vary = [{ node: "4", widget: "video length", values: [5] }];
    expect(planRuns(comfy, nodes, { seeds: [], vary })).toMatchObject([{ values: { "4.value_1": 5 } }]);
  });

  it("names a slot", async () => {
    const { call, comfy } = await clip();
    await call(editWorkflow, { operations: [{ op: "add", type: "EmptyImage", as: "sky" }] });
    const fromNode = comfy.graph().nodes.at(-1)?.id ?? "";
    const result = await call(connectNodes, { fromNode, toNode: "4", toInput: "Background" });
    expect(result).toMatchObject({ ok: true, data: { to: "4.image" } });
  });

  it("is named where something else was asked for", async () => {
    const { call } = await clip();
    expect(await call(setNodeWidgetValue, { node: "4", widget: "Video lenght", value: 1 })).toMatchObject({
      ok: false,
      hint: expect.stringContaining('Its widgets: value_1 "Video length", value_2.'),
    });
  });
});

describe("running up to a subgraph", () => {
  it("runs up to the node inside whose result leaves it", async () => {
    const { comfy } = await clip();
    const nodes = {
      "4:7": { class_type: "EmptyImage", inputs: {} },
      "4:8": { class_type: "ImageInvert", inputs: {} },
    };
    expect(runNode(comfy, nodes, "4")).toBe("4:7");
    expect(runNode(comfy, nodes, "Clip")).toBe("4:7");
    expect(() => runNode(comfy, {}, "4")).toThrow(
      'Node 4 is the subgraph "Clip", none of whose results runs.',
    );
  });

  it("names what there is to choose where several results leave it", async () => {
    const { call, comfy } = await clip();
    await call(editWorkflow, { operations: [{ op: "promote", from: "4:8.IMAGE", title: "inverted" }] });
    const nodes = {
      "4:7": { class_type: "EmptyImage", inputs: {} },
      "4:8": { class_type: "ImageInvert", inputs: {} },
    };
    expect(() => runNode(comfy, nodes, "4")).toThrow("which has 2 results; name one node inside it.");
  });
});
