import { describe, expect, it } from "vitest";
import { getWorkflowInfo } from "../getWorkflowInfo";
import { edit } from "../testing/editCalls";
import { testCalls } from "../testing/testCall";

const fed = () => testCalls(["PrimitiveInt", "EmptyImage"], ["1.INT>2.width"]);

const refusal = (error: string, hint: string) => ({ ok: false, error, hint });

describe("a value that a link overrules", () => {
  it.each<[string, object]>([
    ["set", { op: "set", nodes: ["2"], widgets: { width: 64 } }],
    ["replace", { op: "replace", nodes: ["2"], type: "EmptyImage", widgets: { width: 64 } }],
  ])("is refused by %s with its source", async (_, operation) => {
    const calls = fed();
    const before = calls.comfy.graph();
    expect(await edit(calls, operation)).toMatchObject(
      refusal(
        "2.width comes from 1.INT: a value of its own has no effect.",
        "Set 1.value, or disconnect 2.width first.",
      ),
    );
    expect(calls.comfy.graph()).toEqual(before);
  });

  it("is refused of a new node, too", async () => {
    const operation = { op: "add", type: "EmptyImage", widgets: { width: 8 }, inputs: { width: "1.INT" } };
    expect(await edit(fed(), operation)).toMatchObject({
      error: expect.stringContaining("comes from 1.INT"),
    });
  });

  it("is kept by the node that takes the place of another", async () => {
    const calls = fed();
    expect(await edit(calls, { op: "replace", nodes: ["2"], type: "EmptyLatentImage" })).toMatchObject({
      ok: true,
    });
    expect(calls.lines()[1]).toBe("2 EmptyLatentImage width<1 >LATENT");
  });

  it("is set once the link is cut", async () => {
    const calls = fed();
    expect(
      await edit(
        calls,
        { op: "disconnect", to: "2.width" },
        { op: "set", nodes: ["2"], widgets: { width: 64 } },
      ),
    ).toMatchObject({ ok: true });
    expect(calls.lines()[1]).toBe("2 EmptyImage width=64 >IMAGE");
  });

  it("is refused where it comes through a bypassed node", async () => {
    const calls = testCalls(
      ["PrimitiveInt", "PrimitiveInt", "EmptyImage"],
      ["1.INT>2.value", "2.INT>3.width"],
    );
    calls.comfy.setMode("2", "bypassed");
    expect(await edit(calls, { op: "set", nodes: ["3"], widgets: { width: 64 } })).toMatchObject(
      refusal(
        "3.width comes from 2.INT, and that from 1.INT: a value of its own has no effect.",
        "Set 1.value, or disconnect 3.width first.",
      ),
    );
  });

  it("counts where the source is bypassed", async () => {
    const calls = fed();
    calls.comfy.setMode("1", "bypassed");
    expect(await edit(calls, { op: "set", nodes: ["2"], widgets: { width: 64 } })).toMatchObject({
      ok: true,
    });
  });

  it("names the widgets that make it, where several do or the one is fed", async () => {
    const maths = testCalls(
      ["PrimitiveInt", "PrimitiveInt", "EmptyImage"],
      ["1.INT>2.value", "2.INT>3.width"],
    );
    expect(await edit(maths, { op: "set", nodes: ["3"], widgets: { width: 64 } })).toMatchObject(
      refusal(
        "3.width comes from 2.INT: a value of its own has no effect.",
        "Set 1.value, or disconnect 3.width first.",
      ),
    );
  });
});

describe("a value that comes without a wire", () => {
  const broadcast = () => {
    const calls = testCalls(["PrimitiveInt", "Broadcast", "EmptyImage"], ["1.INT>2.anything"]);
    calls.comfy.broadcast("2", "width");
    return calls;
  };
  const set = { op: "set", nodes: ["3"], widgets: { width: 64 } };

  it("is refused with what hands it on", async () => {
    expect(await edit(broadcast(), set)).toMatchObject(
      refusal(
        "3.width comes from 1.INT without a wire, handed on by node 2: a value of its own has no effect.",
        "Set 1.value, or remove node 2, or connect something else to 3.width.",
      ),
    );
  });

  it("is set in the batch that takes away what hands it on, and where it is no more", async () => {
    expect(await edit(broadcast(), { op: "remove", nodes: ["2"] }, set)).toMatchObject({ ok: true });
    expect(await edit(broadcast(), { op: "mode", nodes: ["1"], mode: "muted" }, set)).toMatchObject({
      ok: true,
    });
    expect(await edit(broadcast(), { ...set, widgets: { height: 64 } })).toMatchObject({ ok: true });
  });
});

describe("inside a subgraph", () => {
  async function promoted() {
    const calls = testCalls(["EmptyImage", "SaveImage", "PrimitiveInt"], ["1.IMAGE>2.images"]);
    await edit(calls, { op: "makeSubgraph", nodes: ["1"] });
    await edit(calls, { op: "promote", to: "4:1.width" });
    return calls;
  }

  it("the widget of the subgraph's node is named", async () => {
    expect(await edit(await promoted(), { op: "set", nodes: ["4:1"], widgets: { width: 64 } })).toMatchObject(
      refusal(
        "4:1.width comes from 4.width: a value of its own has no effect.",
        "Set 4.width, or disconnect 4:1.width first.",
      ),
    );
  });

  it("what is linked to the subgraph's node is named", async () => {
    const calls = await promoted();
    await edit(calls, { op: "connect", from: "3.INT", to: "4.width" });
    expect(await edit(calls, { op: "set", nodes: ["4:1"], widgets: { width: 64 } })).toMatchObject(
      refusal(
        "4:1.width comes from 4.width, and that from 3.INT: a value of its own has no effect.",
        "Set 3.value, or disconnect 4:1.width first.",
      ),
    );
  });

  it("a value that nobody gives from outside is its own", async () => {
    const calls = await promoted();
    await edit(calls, { op: "demote", to: "4.width" });
    expect(await edit(calls, { op: "set", nodes: ["4:1"], widgets: { width: 64 } })).toMatchObject({
      ok: true,
    });
  });
});

it("is marked where a node is read", async () => {
  const result = await fed().call(getWorkflowInfo, { nodeIds: ["2"] });
  const { text } = result.ok ? (result.data as { text: string }) : { text: "" };
  expect(text).toContain("  width=512 (unused: from 1.INT)\n");
  expect(text).toContain("  height=512 (integer");
});
