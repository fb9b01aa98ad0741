import { expect, it } from "vitest";
import { addNode } from "../addNode";
import { setNodeWidgetValue } from "../setNodeWidgetValue";
import { testCalls } from "../testing/testCall";

const graph = () => testCalls(["EmptyImage", "KSampler", "SaveImage", "EmptyLatentImage"]);

it.each([
  [
    "the only node that has the widget, where another was named",
    { node: "3", widget: "steps", value: "30" },
    { node: "2", widget: "steps", value: 30 },
    "Only 2 KSampler has steps. Its widgets: filename_prefix.",
  ],
  [
    "the only node that has the widget, where none is named so",
    { node: "9", widget: "cfg", value: 4 },
    { node: "2", widget: "cfg", value: 4 },
    expect.stringMatching(/^Only 2 KSampler has cfg\. Nodes: 1 EmptyImage, /),
  ],
  [
    "the widget whose name has the asked one within",
    { node: "2", widget: "Sampler", value: "heun" },
    { node: "2", widget: "sampler_name", value: "heun" },
    expect.stringContaining("Closest: sampler_name."),
  ],
  [
    "the nearest number",
    { node: "1", widget: "width", value: "99999" },
    { node: "1", widget: "width", value: 16384 },
    "Nearest: 16384.",
  ],
  [
    "the nearest whole number",
    { node: "KSampler", widget: "steps", value: 20.4 },
    { node: "2", widget: "steps", value: 20 },
    "Nearest: 20.",
  ],
  [
    "the closest choice",
    { node: "2", widget: "sampler_name", value: "dpm2m" },
    { node: "2", widget: "sampler_name", value: "dpmpp_2m" },
    "Closest: dpmpp_2m.",
  ],
  [
    "the node and the nearest number at once",
    { node: "3", widget: "steps", value: 1e9 },
    { node: "2", widget: "steps", value: 10000 },
    expect.stringContaining("Only 2 KSampler has steps."),
  ],
])("a refused value comes with the call that fits: %s", async (_, asked, sendInstead, hint) => {
  const { call, lines } = graph();
  const before = lines();
  const refused = await call(setNodeWidgetValue, asked);
  expect(refused).toMatchObject({ ok: false, hint, sendInstead });
  expect(lines()).toEqual(before);
  const { sendInstead: corrected } = refused as { sendInstead: object };
  expect(await call(setNodeWidgetValue, corrected)).toMatchObject({ ok: true });
});

it("the widget that decides is named where a link feeds the asked one", async () => {
  const { call } = testCalls(["PrimitiveInt", "EmptyImage"], ["1.INT>2.width"]);
  expect(await call(setNodeWidgetValue, { node: "2", widget: "width", value: "64" })).toMatchObject({
    hint: "Set 1.value, or disconnect 2.width first.",
    sendInstead: { node: "1", widget: "value", value: 64 },
  });
});

it("where a link feeds the widget and the value does not fit, both are told and the call fits both", async () => {
  const { call, lines } = testCalls(["PrimitiveInt", "EmptyImage"], ["1.INT>2.width"]);
  const refused = await call(setNodeWidgetValue, { node: "2", widget: "width", value: 99999 });
  expect(refused).toMatchObject({
    error:
      "2.width comes from 1.INT: a value of its own has no effect. 99999 does not fit width; expected integer 1..16384.",
    hint: "Set 1.value, or disconnect 2.width first. Nearest: 16384.",
    sendInstead: { node: "1", widget: "value", value: 16384 },
  });
  await call(setNodeWidgetValue, (refused as { sendInstead: object }).sendInstead);
  expect(lines()[0]).toContain("value=16384");
});

it("no call is offered where no value that the source takes is near", async () => {
  const { call } = testCalls(["PrimitiveInt", "EmptyImage"], ["1.INT>2.width"]);
  const refused = await call(setNodeWidgetValue, { node: "2", widget: "width", value: "many" });
  expect(refused).toMatchObject({
    error: expect.stringMatching(/has no effect\. "many" does not fit width/),
  });
  expect(refused).not.toHaveProperty("sendInstead");
});

it("no call is offered where several nodes could be meant, but these are named", async () => {
  const { call } = graph();
  const refused = await call(setNodeWidgetValue, { node: "3", widget: "width", value: 64 });
  expect(refused).toMatchObject({
    hint: "width is on 1 EmptyImage, 4 EmptyLatentImage. Its widgets: filename_prefix.",
  });
  expect(refused).not.toHaveProperty("sendInstead");
});

it.each([
  { node: "2", widget: "steps", value: "many" },
  { node: "2", widget: "sampler_name", value: "something else" },
  { node: "2", widget: "add", value: 1 },
])("no call is made up for %j", async (asked) => {
  const { call } = graph();
  const refused = await call(setNodeWidgetValue, asked);
  expect(refused.ok).toBe(false);
  expect(refused).not.toHaveProperty("sendInstead");
});

it("a node that is not added for one of its values comes with the call that fits", async () => {
  const { call, lines } = testCalls([]);
  const refused = await call(addNode, { type: "EmptyImage", widgets: { width: 0, height: 64 } });
  expect(refused).toMatchObject({
    ok: false,
    sendInstead: { type: "EmptyImage", widgets: { width: 1, height: 64 } },
  });
  await call(addNode, (refused as { sendInstead: object }).sendInstead);
  expect(lines()).toEqual([expect.stringContaining("1 EmptyImage width=1 height=64")]);
});
