import { describe, expect, it } from "vitest";
import { editWorkflow } from "./editWorkflow";
import { setNodeWidgetValue } from "./setNodeWidgetValue";
import { testCalls } from "./testing/testCall";

describe("setting a widget", () => {
  it("tells the value that the graph holds afterwards, and the one before", async () => {
    const { call, lines } = testCalls(["EmptyImage"]);
    expect(await call(setNodeWidgetValue, { node: "1", widget: "width", value: "64" })).toEqual({
      ok: true,
      summary: "Changed 1 EmptyImage width=512→64.",
      told: ["changes", "node", "widget", "value", "previous"],
      data: {
        workflow: "Test",
        ...{ node: "1", widget: "width", value: 64, previous: 512 },
        changes: { added: {}, changed: { "1": "EmptyImage width=512→64" }, removed: {} },
      },
    });
    expect(lines()).toEqual(["1 EmptyImage width=64 >IMAGE"]);
  });

  it("leaves in its data what the summary cuts", async () => {
    const { call } = testCalls(["CLIPTextEncode"]);
    const text = "a red fox in the snow, ".repeat(20);
    expect(await call(setNodeWidgetValue, { node: "1", widget: "text", value: text })).toMatchObject({
      told: ["changes", "stillUnconnected", "node", "widget"],
      data: { value: text, previous: "" },
    });
  });

  it("says so when ComfyUI rounds to the widget's step", async () => {
    const { call } = testCalls(["EmptyLatentImage"]);
    expect(await call(setNodeWidgetValue, { node: "1", widget: "width", value: 1001 })).toMatchObject({
      ok: true,
      summary: "Changed 1 EmptyLatentImage width=512→1000. ComfyUI made it of 1001.",
    });
  });

  it("is refused where a link feeds the widget, with the widget that decides", async () => {
    const { call, comfy } = testCalls(["PrimitiveInt", "EmptyImage"], ["1.INT>2.width"]);
    const before = comfy.graph();
    expect(await call(setNodeWidgetValue, { node: "2", widget: "width", value: 64 })).toMatchObject({
      ok: false,
      error: "2.width comes from 1.INT: a value of its own has no effect.",
      hint: "Set 1.value, or disconnect 2.width first.",
    });
    expect(comfy.graph()).toEqual(before);
  });

  it("says so when it holds the value already", async () => {
    const { call } = testCalls(["EmptyImage"]);
    expect(await call(setNodeWidgetValue, { node: "1", widget: "width", value: 512 })).toMatchObject({
      summary: "Nothing became different: 1.width is 512 already.",
      data: { unchanged: ["1.width is 512 already"] },
    });
  });

  it.each([
    ["karras", true, { sampler_name: "dpmpp_2m", scheduler: "karras" }],
    ["simple", false, { sampler_name: "euler", scheduler: "simple" }],
  ])(
    "takes a sampler with its scheduler beside the scheduler %s only where both say the same: %s",
    async (scheduler, ok, held) => {
      const { call, comfy } = testCalls(["KSampler"]);
      const widgets = { sampler_name: "DPM++ 2M Karras", scheduler };
      expect(await call(editWorkflow, { operations: [{ op: "set", nodes: ["1"], widgets }] })).toMatchObject({
        ok,
      });
      const values = Object.fromEntries(
        comfy.graph().nodes[0]?.widgets.map(({ name, value }) => [name, value]) ?? [],
      );
      expect(values).toMatchObject(held);
    },
  );

  it("takes a sampler with its scheduler, as people write them, and says so", async () => {
    const { call } = testCalls(["KSampler"]);
    expect(
      await call(setNodeWidgetValue, { node: "1", widget: "sampler_name", value: "DPM++ 2M Karras" }),
    ).toMatchObject({
      ok: true,
      summary: expect.stringContaining("sampler_name=euler→dpmpp_2m scheduler=simple→karras."),
    });
  });

  it("cuts long texts in the summary but keeps them in the graph", async () => {
    const { call, comfy } = testCalls(["CLIPTextEncode"]);
    const value = "word ".repeat(200);
    const result = await call(setNodeWidgetValue, { node: "1", widget: "text", value });
    expect(result.ok && result.summary.length).toBeLessThan(200);
    expect(comfy.graph().nodes[0]?.widgets[0]?.value).toBe(value);
  });

  it.each([
    [
      "a widget that is not there, naming the closest",
      { widget: "sampler", value: "heun" },
      'KSampler (node 1) has no widget "sampler".',
      "Closest: sampler_name. Its widgets: seed, control_after_generate, steps, cfg, sampler_name, scheduler, denoise.",
    ],
    [
      "an input without a widget",
      { widget: "model", value: "sd15" },
      '"model" of KSampler (node 1) is an input without a widget.',
      "Connect another node's output to it with connectNodes.",
    ],
    [
      "a choice that is not installed, naming the closest",
      { widget: "sampler_name", value: "dpm2m" },
      '"dpm2m" is not one of the 4 choices of sampler_name.',
      "Closest: dpmpp_2m.",
    ],
  ])("refuses %s", async (_, args, error, hint) => {
    const { call, comfy } = testCalls(["KSampler"]);
    const before = comfy.graph();
    expect(await call(setNodeWidgetValue, { node: "1", ...args })).toMatchObject({ ok: false, error, hint });
    expect(comfy.graph()).toEqual(before);
  });

  it("needs a value", async () => {
    const { call } = testCalls(["KSampler"]);
    expect(await call(setNodeWidgetValue, { node: "1", widget: "steps" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("a value is required"),
    });
  });
});
