import { describe, expect, it } from "vitest";
import { applyWorkflow } from "./applyWorkflow";
import { editWorkflow } from "./editWorkflow";
import { roomOf } from "./room";
import { chain, edit } from "./testing/editCalls";
import { type TestCalls, testCalls } from "./testing/testCall";
import { runTool } from "./tool";

describe("a batch of operations", () => {
  it("says of no value of a new node that it is so already", async () => {
    const { call } = testCalls();
    const made = await call(editWorkflow, {
      operations: [{ op: "add", type: "EmptyImage", as: "new", widgets: { width: 512, height: 64 } }],
    });
    expect(made).toMatchObject({ ok: true });
    expect(made).not.toHaveProperty("data.unchanged");
  });

  it("answers with the ids of the names that were given, and of no others", async () => {
    const { call } = testCalls();
    const nodesOf = async (...operations: unknown[]) =>
      ((await call(editWorkflow, { operations })) as { data: { nodes?: unknown } }).data.nodes;
    expect(await nodesOf({ op: "add", type: "EmptyImage" })).toBeUndefined();
    expect(await nodesOf({ op: "add", type: "SaveImage", as: "new1" })).toEqual({ new1: "2" });
  });

  it("adds nodes that refer to each other by their names in the batch", async () => {
    const calls = testCalls();
    expect(
      await edit(
        calls,
        { op: "add", type: "EmptyImage", as: "canvas", widgets: { width: "64", color: "red" } },
        { op: "add", type: "SaveImage", as: "save", title: "result" },
        { op: "connect", from: "canvas.IMAGE", to: "save.images" },
      ),
    ).toEqual({
      ok: true,
      summary: "Added 1 EmptyImage, 2 SaveImage.",
      told: ["changes"],
      data: {
        workflow: "Test",
        nodes: { canvas: "1", save: "2" },
        changes: { added: { "1": "EmptyImage", "2": "SaveImage" }, changed: {}, removed: {} },
        revision: expect.stringMatching(/^[0-9a-f]{8}$/),
      },
    });
    expect(calls.lines()).toEqual(["1 EmptyImage width=64 color=16711680", '2 SaveImage "result" images<1']);
    expect(calls.comfy.undoSteps).toBe(1);
  });

  it.each<[string, unknown[], string[]]>([
    [
      "takes the sources of a new node along",
      [{ op: "add", type: "PreviewImage", inputs: { images: "2.IMAGE" } }],
      ["1 EmptyImage", "2 ImageInvert image<1", "3 SaveImage images<2", "4 PreviewImage images<2"],
    ],
    [
      "sets the same widget of several nodes",
      [
        { op: "add", type: "EmptyImage", as: "other" },
        { op: "set", nodes: ["1", "other"], widgets: { width: 8 } },
      ],
      [
        "1 EmptyImage width=8",
        "2 ImageInvert image<1",
        "3 SaveImage images<2",
        "4 EmptyImage width=8 >IMAGE",
      ],
    ],
    [
      "replaces a node under its own id, with links, title, mode and the values that fit",
      [
        { op: "title", nodes: ["2"], title: "middle" },
        { op: "mode", nodes: ["2"], mode: "mute" },
        { op: "replace", nodes: ["2"], type: "ImageScaleBy", widgets: { scale_by: 2 } },
      ],
      ["1 EmptyImage", '2 ImageScaleBy "middle" muted image<1 scale_by=2', "3 SaveImage images<2"],
    ],
    [
      "inserts a new node on a link",
      [{ op: "insert", type: "ImageScaleBy", to: "3.images" }],
      ["1 EmptyImage", "2 ImageInvert image<1", "3 SaveImage images<4", "4 ImageScaleBy image<2"],
    ],
    [
      "removes and disconnects",
      [
        { op: "disconnect", to: "3.images" },
        { op: "remove", nodes: ["2"] },
      ],
      ["1 EmptyImage >IMAGE", "3 SaveImage images<?"],
    ],
    [
      "bypasses, and makes active again",
      [
        { op: "mode", nodes: ["1", "2"], mode: "bypass" },
        { op: "mode", nodes: ["1"], mode: "active" },
      ],
      ["1 EmptyImage", "2 ImageInvert bypassed image<1", "3 SaveImage images<2"],
    ],
    [
      "groups nodes",
      [{ op: "group", nodes: ["1", "2"], title: "source" }],
      ["1 EmptyImage", "2 ImageInvert image<1", "3 SaveImage images<2", 'group "source": 1 2'],
    ],
    [
      "understands node, widget and value where nodes and widgets are meant",
      [{ op: "set", node: 1, widget: "width", value: 32 }],
      ["1 EmptyImage width=32", "2 ImageInvert image<1", "3 SaveImage images<2"],
    ],
  ])("%s", async (_, operations, lines) => {
    const calls = chain();
    expect(await edit(calls, ...operations)).toMatchObject({ ok: true });
    expect(calls.lines().sort()).toEqual(lines);
  });

  it("moves nodes together and colors them", async () => {
    const calls = chain();
    const at = (id: string) => calls.comfy.node(id)?.position ?? { x: 0, y: 0 };
    const distance = { x: at("2").x - at("1").x, y: at("2").y - at("1").y };
    await edit(
      calls,
      { op: "move", nodes: ["1", "2"], position: { x: 500, y: 700 } },
      { op: "color", nodes: ["1"], color: "#f00" },
    );
    expect(at("1")).toEqual({ x: 500, y: 700 });
    expect(at("2")).toEqual({ x: 500 + distance.x, y: 700 + distance.y });
    expect(calls.comfy.node("1")?.color).toBe("#ff0000");
  });

  it.each([
    [
      "keeps by position the values of a type that is not installed",
      "#0=64 #1=32 #2=1 #3=255",
      "width=64 height=32 color=255",
      undefined,
    ],
    ["tells them where it takes others", "#0=64 #1=wide", "", ["1.#0=64", '1.#1="wide"']],
    [
      "keeps by name those that were saved so, and tells the others",
      'width=64 height=wide preview={"shown":"yes"}',
      "width=64",
      ['1.height="wide"', '1.preview={"shown":"yes"}'],
    ],
    [
      "tells a few of very many and how many more there were",
      "#0=wide #1=10 #2=11 #3=12 #4=13 #5=14 #6=15",
      "",
      ['1.#0="wide"', "1.#1=10", "1.#2=11", "1.#3=12", "3 more values of 1"],
    ],
  ])("a replacement %s", async (_, saved, values, lost) => {
    const calls = testCalls();
    await calls.call(applyWorkflow, { workflow: `1 EmptyImageOld ${saved}`, allowMissing: true });
    const result = await edit(calls, { op: "replace", nodes: ["1"], type: "EmptyImage" });
    expect(calls.lines()).toEqual([`1 EmptyImage ${values} >IMAGE`.replace("  ", " ")]);
    expect(result).toMatchObject({ ok: true, data: lost ? { notCarriedOver: lost } : {} });
  });

  it("tells what changed, what is still open, and what a replaced node could not hand on", async () => {
    const calls = chain();
    expect(
      await edit(
        calls,
        { op: "set", nodes: ["1"], widgets: { width: 64 } },
        { op: "replace", nodes: ["1"], type: "LoadImage" },
        { op: "add", type: "ImageStitch", as: "both", inputs: { image1: "2.IMAGE" } },
        { op: "add", type: "VAEDecode", as: "decode" },
      ),
    ).toMatchObject({
      summary:
        "Added 4 ImageStitch, 5 VAEDecode; changed 1 EmptyImage→LoadImage. Not carried over: 1.width=64. Still unconnected: 4 is used by nothing: IMAGE, 5.samples (LATENT) needs a source, 5.vae (VAE) needs a source, 5 is used by nothing: IMAGE.",
      data: {
        changes: { changed: { "1": "EmptyImage→LoadImage" } },
        notCarriedOver: ["1.width=64"],
        stillUnconnected: expect.arrayContaining(["5.vae (VAE) needs a source"]),
      },
    });
  });
  it("tells no link of a replaced node as lost where the batch gives its target another source", async () => {
    const calls = testCalls(
      ["CheckpointLoaderSimple", "CLIPTextEncode", "VAEDecode", "VAEDecode", "CheckpointLoaderSimple"],
      ["1.CLIP>2.clip", "1.VAE>3.vae", "1.VAE>4.vae"],
    );
    const result = await edit(
      calls,
      { op: "replace", nodes: ["1"], type: "LoadImage" },
      { op: "connect", from: "5.VAE", to: "4.vae" },
      { op: "connect", from: "5.CLIP", to: "2.clip" },
    );
    expect(result).toMatchObject({
      ok: true,
      data: { notCarriedOver: ["1.VAE>3.vae", '1.ckpt_name="sd15/base.safetensors"'] },
    });
  });

  it("tells no value of a replaced node as one that was so already", async () => {
    const calls = testCalls(["EmptyImage"]);
    const operation = { op: "replace", nodes: ["1"], type: "EmptyLatentImage", widgets: { width: 512 } };
    expect(await edit(calls, operation)).not.toMatchObject({ data: { unchanged: expect.anything() } });
    expect(await edit(calls, { op: "set", nodes: ["1"], widgets: { width: 512, height: 64 } })).toMatchObject(
      { data: { unchanged: ["1.width is 512 already"] } },
    );
  });
});

describe("what a turn has changed", () => {
  const inTurn = ({ comfy }: TestCalls, turn: string, ...operations: unknown[]) =>
    runTool(editWorkflow, { operations }, comfy, {
      signal: new AbortController().signal,
      room: roomOf(),
      onProgress() {},
      confirm: async () => true,
      turn,
    });

  it("is marked on the canvas until the next turn", async () => {
    const calls = chain();
    await inTurn(calls, "first", { op: "add", type: "EmptyImage" });
    await inTurn(calls, "first", { op: "set", nodes: ["1"], widgets: { width: 8 } });
    expect(calls.comfy.marks).toEqual({ turn: "first", added: ["4"], changed: ["1"] });
    await inTurn(calls, "second", { op: "title", nodes: ["2"], title: "new" });
    expect(calls.comfy.marks).toEqual({ turn: "second", added: [], changed: ["2"] });
  });
});

describe("a batch that does not fit", () => {
  it("changes nothing and names every operation with what there is instead", async () => {
    const calls = chain();
    const before = calls.comfy.graph();
    expect(
      await edit(
        calls,
        { op: "set", nodes: ["1"], widgets: { width: 64 } },
        { op: "add", type: "ImageInvrt", as: "a" },
        { op: "connect", from: "a.IMAGE", to: "3.images" },
        { op: "set", nodes: ["1"], widgets: { widht: 64 } },
        { op: "connect", from: "3.IMAGE", to: "1.width" },
      ),
    ).toEqual({
      ok: false,
      error: [
        "Nothing was changed: 3 of 5 operations do not fit.",
        'operations[1] add: No node type "ImageInvrt" is installed. Closest: ImageInvert. searchInstalledNodes finds others.',
        'operations[3] set: EmptyImage (node 1) has no widget "widht". Closest: width. Its widgets: width, height, batch_size, color.',
        "operations[4] connect: SaveImage (node 3) has no outputs.",
        "[2] name what these would make.",
      ].join(" "),
      hint: "Mend these and send the whole batch again.",
    });
    expect(calls.comfy.graph()).toEqual(before);
  });

  it("says that a node of the batch is removed by it where a later operation names that", async () => {
    expect(
      await edit(
        testCalls(),
        { op: "add", type: "EmptyImage", as: "a" },
        { op: "remove", nodes: ["a"] },
        { op: "set", nodes: ["a"], widgets: { width: 64 } },
      ),
    ).toMatchObject({ error: expect.stringContaining('"a" was removed earlier in this batch.') });
  });

  it("tells nothing but the causes of a node that cannot be made, and of one that names it", async () => {
    const calls = chain();
    expect(
      await edit(
        calls,
        { op: "add", type: "ImageInvrt", as: "a" },
        { op: "add", type: "SaveImage", as: "save", widgets: { filenam: "x" }, inputs: { images: "a" } },
        { op: "connect", from: "a.IMAGE", to: "3.images" },
        { op: "mode", nodes: ["a", "save"], mode: "bypass" },
      ),
    ).toMatchObject({
      error: expect.stringMatching(
        /^Nothing was changed: 2 of 4 operations do not fit\. operations\[0\] add: .*operations\[1\] add: .*"filenam"\. .*\. \[2\], \[3\] name what these would make\.$/,
      ),
    });
  });

  it.each<[string, unknown, RegExp]>([
    ["a loop", { op: "connect", from: "2.IMAGE", to: "2.image" }, /would close a loop/],
    ["types that differ", { op: "connect", from: "1.IMAGE", to: "3.filename_prefix" }, /gives IMAGE/],
    ["a number out of range", { op: "set", nodes: ["1"], widgets: { width: 0 } }, /integer 1\.\.16384/],
    ["a node removed before", { op: "remove", nodes: ["9"] }, /There is no node "9"/],
    ["no link to insert on", { op: "insert", to: "1.width", type: "ImageInvert" }, /no link into width/],
    ["a number as a name", { op: "add", type: "EmptyImage", as: "7" }, /cannot be a name/],
    ["an operation without its nodes", { op: "remove" }, /needs nodes/],
    ["an unknown mode", { op: "mode", nodes: ["1"], mode: "off" }, /active, bypass or mute/],
    ["an unknown color", { op: "color", nodes: ["1"], color: "blurple" }, /is no color/],
    [
      "a widget of a new node",
      { op: "add", type: "EmptyImage", widgets: { widht: 1 } },
      /the new EmptyImage has no widget/,
    ],
    ["a subgraph that is none", { op: "expandSubgraph", nodes: ["1"] }, /is no subgraph/],
    ["an operation that there is not", { op: "explode", nodes: ["1"] }, /op/],
  ])("is refused for %s", async (_, operation, error) => {
    const calls = chain();
    const before = calls.comfy.graph();
    expect(await edit(calls, { op: "set", nodes: ["1"], widgets: { width: 64 } }, operation)).toMatchObject({
      ok: false,
      error: expect.stringMatching(error),
    });
    expect(calls.comfy.graph()).toEqual(before);
  });

  it("refers to a node no more once the batch has removed it", async () => {
    const calls = chain();
    expect(
      await edit(calls, { op: "remove", nodes: ["2"] }, { op: "connect", from: "1.IMAGE", to: "2.image" }),
    ).toMatchObject({
      ok: false,
      error: expect.stringContaining("Node 2 was removed earlier in this batch"),
    });
  });

  it("minds only the graph in which a node was removed", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["2"] });
    await edit(calls, { op: "add", type: "ImageInvert", inside: "4" });
    expect(
      await edit(calls, { op: "remove", nodes: ["4:2"] }, { op: "title", nodes: ["1"], title: "kept" }),
    ).toMatchObject({ ok: true });
    expect(
      await edit(calls, { op: "remove", nodes: ["1"] }, { op: "title", nodes: ["4:5"], title: "kept" }),
    ).toMatchObject({ ok: true });
  });

  it("names the nodes that there are once, whatever names none of them", async () => {
    const { call } = testCalls(["EmptyImage"]);
    const gone = { op: "remove", nodes: ["up", "second"] };
    const error = ({ error }: { error?: string }) => error?.match(/Nodes: 1 EmptyImage\./g);
    for (const operations of [[gone], [gone, gone]]) {
      const result = (await call(editWorkflow, { operations })) as { error?: string };
      expect(result.error).toContain('There is no node "up" in the open graph. There is no node "second"');
      expect(error(result)).toHaveLength(operations.length);
    }
  });

  it("has all its faults told, though it is one operation", async () => {
    const calls = chain();
    expect(
      await edit(calls, { op: "set", nodes: ["1", "3"], widgets: { widht: 64, filename_prefix: "a" } }),
    ).toMatchObject({
      error: expect.stringMatching(
        /no widget "widht".*no widget "filename_prefix".*node 3\) has no widget "widht"/,
      ),
    });
  });

  it("may be one operation without a list", async () => {
    const calls = chain();
    const written = { op: "set", nodes: ["1"], widgets: { width: 64 } };
    expect(await calls.call(editWorkflow, written)).toMatchObject({ ok: true });
    expect(calls.lines()[0]).toBe("1 EmptyImage width=64");
    expect(await calls.call(editWorkflow, { operations: [written], dryRun: true })).toMatchObject({
      summary: expect.stringContaining("editWorkflow has no dryRun: that was ignored."),
    });
  });

  it("is shown how to write it where its shape is wrong", async () => {
    const calls = chain();
    expect(await edit(calls, { op: "set", nodes: ["1"], widgets: ["width", 64] })).toMatchObject({
      ok: false,
      hint: 'Write it like this: {"operations":[{"op":"set","nodes":["3"],"widgets":{"steps":30}}]}',
    });
  });

  it("is taken back whole when ComfyUI refuses half-way", async () => {
    const calls = chain();
    calls.comfy.refuseLinksInto("alpha");
    const [before, steps] = [calls.comfy.graph(), calls.comfy.undoSteps];
    expect(
      await edit(
        calls,
        { op: "remove", nodes: ["3"] },
        { op: "add", type: "SolidMask", as: "mask" },
        { op: "add", type: "JoinImageWithAlpha", inputs: { image: "2.IMAGE", alpha: "mask.MASK" } },
      ),
    ).toMatchObject({ ok: false, error: "ComfyUI refused to connect 4.MASK to 5.alpha." });
    expect(calls.comfy.graph()).toEqual(before);
    expect(calls.comfy.undoSteps).toBe(steps);
  });
});
