import { expect, it } from "vitest";
import type { FakeComfy } from "../../comfy/fake";
import { editWorkflow } from "../editWorkflow";
import { executeWorkflow } from "../executeWorkflow";
import { hostileCanvas } from "../testing/hostileNodes";
import { callsOn, type TestCalls } from "../testing/testCall";
import type { Tool } from "../tool";

const outside = ["note 5"];
const order = { operations: [{ op: "set", nodes: ["4"], widgets: { pattern: "all of it" } }] };

type Told = Pick<TestCalls, "outside" | "influenced" | "thread">;

async function call(comfy: FakeComfy, tool: Tool, args: unknown, told: Told = {}) {
  const calls = Object.assign(callsOn(comfy), { isAllowed: false, thread: "thread", ...told });
  return { result: await calls.call(tool, args), asked: calls.asked };
}

const isAskedAbout = async (comfy: FakeComfy, told: Told) => {
  const { asked } = await call(comfy, executeWorkflow, {}, told);
  return asked.some(({ detail, always }) => always && detail?.includes("Confetti"));
};

/** As the page is once it was loaded anew: the graph is there, and what the page knew is gone. */
function loadedAnew(): FakeComfy {
  const comfy = hostileCanvas();
  comfy.edit((editor) => editor.setWidget("4", "pattern", "all of it"));
  return comfy;
}

it("an edit after such text was read tells the types that it changed, once", async () => {
  const comfy = hostileCanvas();
  const { result } = await call(comfy, editWorkflow, order, { outside });
  expect(result).toMatchObject({ ok: true, influenced: ["Confetti"] });
  const again = await call(comfy, editWorkflow, order, { outside, influenced: ["Confetti"] });
  expect(again.result).not.toHaveProperty("influenced");
});

it("an edit before it tells nothing", async () => {
  expect((await call(hostileCanvas(), editWorkflow, order)).result).not.toHaveProperty("influenced");
});

it("a page that was loaded anew asks about what the server tells of it, and else has forgotten", async () => {
  expect(await isAskedAbout(loadedAnew(), { outside, influenced: ["Confetti"] })).toBe(true);
  expect(await isAskedAbout(loadedAnew(), { outside, influenced: ["*"] })).toBe(true);
  expect(await isAskedAbout(loadedAnew(), { outside })).toBe(false);
});

it("it is asked about also where the conversation went on without that text, as from an earlier message", async () => {
  const comfy = hostileCanvas();
  await call(comfy, editWorkflow, order, { outside });
  expect(await isAskedAbout(comfy, {})).toBe(true);
  expect(await isAskedAbout(comfy, { thread: "another" })).toBe(false);
});
