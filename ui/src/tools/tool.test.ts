import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createFakeComfy } from "../comfy/fake";
import { addNode } from "./addNode";
import { connectNodes } from "./connectNodes";
import { roomOf } from "./room";
import { declined, defineTool, runTool, type ToolContext, ToolError } from "./tool";

const context: ToolContext = {
  signal: new AbortController().signal,
  room: roomOf(),
  onProgress: () => {},
  confirm: async () => true,
};

const echo = defineTool({
  name: "echo",
  description: "Say it again.",
  input: z.object({ text: z.string(), times: z.number().optional() }),
  effect: "reads",
  async run({ text }) {
    if (text === "throw") throw new Error("out of paper");
    if (text === "refuse") throw new ToolError("Not that.", "Something else.");
    return { ok: true, summary: text, data: { text } };
  },
  label: () => "Echo",
});

/** Whatever it says, a result may quote the workflow. */
const labelled = { outside: ["the open workflow"] };

describe("running a tool", () => {
  it.each<[string, unknown, unknown]>([
    ["gives its result", { text: "hello" }, { ok: true, summary: "hello", data: { text: "hello" } }],
    [
      "turns its refusal into a result with a hint",
      { text: "refuse" },
      { ok: false, error: "Not that.", hint: "Something else." },
    ],
    [
      "says what it has ignored also where it refuses",
      { text: "refuse", volume: 3 },
      { ok: false, error: "Not that.", hint: "Something else. echo has no volume: that was ignored." },
    ],
    [
      "turns an unexpected error into a result",
      { text: "throw" },
      { ok: false, error: "echo failed: out of paper" },
    ],
  ])("%s", async (_, args, expected) => {
    expect(await runTool(echo, args, createFakeComfy(), context)).toEqual({
      ...labelled,
      ...(expected as object),
    });
  });

  it.each([
    ["nothing at all", undefined, "text: expected string, received undefined"],
    ["null", null, "text: expected string, received undefined"],
    ["text", "hello", "expected object, received string"],
    ["a list", [], "expected object, received array"],
    ["a wrong type", { text: 7 }, "text: expected string, received number"],
  ])("refuses %s as arguments, telling what was expected", async (_, args, problem) => {
    const result = await runTool(echo, args, createFakeComfy(), context);
    expect(result).toEqual({
      ...labelled,
      ok: false,
      error: `The arguments of echo do not fit: ${problem}.`,
      hint: "echo takes text, times (optional).",
    });
  });

  it("writes arguments as they should be", async () => {
    const shown = defineTool({ ...echo, example: () => JSON.stringify({ text: "hello" }) });
    expect(await runTool(shown, { text: 3 }, createFakeComfy(), context)).toEqual({
      ...labelled,
      ok: false,
      error: "The arguments of echo do not fit: text: expected string, received number.",
      hint: 'Write it like this: {"text":"hello"}',
    });
  });

  it("takes null for an argument that was left out", async () => {
    const result = await runTool(echo, { text: "hello", times: null }, createFakeComfy(), context);
    expect(result).toMatchObject({ ok: true });
  });

  it("tells the model that the person said no, and to ask", () => {
    expect(declined("Delete 12 nodes?")).toEqual({
      ok: false,
      code: "declined",
      error: "The user declined: Delete 12 nodes?",
      hint: "Ask what they want instead.",
    });
  });

  it("does nothing once it was stopped", async () => {
    const result = await runTool(echo, { text: "throw" }, createFakeComfy(), {
      ...context,
      signal: AbortSignal.abort(),
    });
    expect(result).toEqual({
      ok: false,
      code: "stopped",
      error: "Stopped by the user before it began; nothing was changed.",
    });
  });

  it("does nothing in another workflow than the one the turn began in", async () => {
    const comfy = createFakeComfy();
    const workflow = comfy.workflow().key;
    comfy.openWorkflow({ key: "workflows/Other.json", name: "Other", isModified: false });
    const result = await runTool(echo, { text: "hello" }, comfy, { ...context, workflow });
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining("another workflow (Other)") });
  });

  it("makes one undo step of all edits of a turn", async () => {
    const comfy = createFakeComfy();
    const turn = { ...context, turn: "message-1" };
    const image = await runTool(addNode, { type: "EmptyImage", widgets: { width: 64 } }, comfy, turn);
    await runTool(addNode, { type: "SaveImage" }, comfy, turn);
    await runTool(connectNodes, { fromNode: "1", toNode: "2" }, comfy, turn);
    expect(image).toMatchObject({ ok: true });
    expect(comfy.undoSteps).toBe(1);
    await runTool(addNode, { type: "PreviewImage" }, comfy, { ...context, turn: "message-2" });
    expect(comfy.undoSteps).toBe(2);
  });
});

it("labels each result once with whose words it may bring", async () => {
  const first = await runTool(echo, { text: "hello" }, createFakeComfy(), context);
  expect(first).toMatchObject(labelled);
  expect(first).not.toHaveProperty("newOutside");
  const later = await runTool(echo, { text: "hello" }, createFakeComfy(), { ...context, ...labelled });
  expect(later).toMatchObject({ ...labelled, newOutside: [] });
});
