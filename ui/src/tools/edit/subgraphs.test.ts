import { describe, expect, it } from "vitest";
import { outline, overlaps } from "../../graph/placement";
import { getWorkflowInfo } from "../getWorkflowInfo";
import { removeNode } from "../removeNode";
import { chain, edit } from "../testing/editCalls";
import { testCalls } from "../testing/testCall";
import type { ToolSuccess } from "../tool";

const imageInSubgraph = { op: "makeSubgraph", nodes: ["2"], title: "Image" };

function losing(input: string, when?: "at once" | "later") {
  const calls = testCalls(["PrimitiveInt", "EmptyImage", "SaveImage"], ["1.INT>2.width", "2.IMAGE>3.images"]);
  calls.comfy.loseLinksInSubgraphs(input, when);
  calls.turn = "t";
  return calls;
}

describe("subgraphs", () => {
  it("are made, edited inside by path while the workflow is open, and expanded", async () => {
    const calls = chain();
    const made = await edit(calls, { op: "makeSubgraph", nodes: ["2"], title: "Flip" });
    expect(made).toMatchObject({ ok: true, data: { subgraphs: ["4"] } });
    expect(
      await edit(
        calls,
        { op: "add", inside: "4", type: "ImageScaleBy", as: "bigger" },
        { op: "insert", nodes: ["bigger"], to: "4:output.IMAGE" },
        { op: "set", nodes: ["bigger"], widgets: { scale_by: 2 } },
      ),
    ).toMatchObject({ ok: true, data: { nodes: { bigger: "4:5" } } });
    expect(await edit(calls, { op: "title", nodes: ["4:2"], title: "inner" })).toMatchObject({
      summary: 'Changed 4:2 ImageInvert titled "inner".',
    });
    await edit(calls, { op: "expandSubgraph", nodes: ["4"] });
    expect(calls.lines()).toEqual([
      "1 EmptyImage",
      "3 SaveImage images<7",
      '6 ImageInvert "inner" image<1',
      "7 ImageScaleBy image<6 scale_by=2",
    ]);
  });

  it("take the frame with them of which they take all nodes and others, and stand on none", async () => {
    const calls = chain();
    await edit(calls, { op: "group", nodes: ["2"], title: "Between" });
    await edit(calls, { op: "group", nodes: ["1"], title: "First" });
    expect(await edit(calls, { op: "makeSubgraph", nodes: ["2", "3"], title: "End" })).toMatchObject({
      summary: expect.stringContaining('removed group "Between" (2)'),
    });
    const { nodes, groups } = calls.comfy.graph();
    expect(groups.map(({ title }) => title)).toEqual(["First"]);
    const frames = groups.flatMap(({ bounds, nodes: ids }) => (bounds && !ids.includes("4") ? [bounds] : []));
    expect(
      nodes
        .filter(({ id }) => id === "4")
        .some((node) => frames.some((frame) => overlaps(frame, outline(node)))),
    ).toBe(false);
  });

  it("take the frames with them that had nothing but what they take", async () => {
    const calls = chain();
    await edit(calls, { op: "group", nodes: ["2"], title: "Inner" });
    await edit(calls, { op: "group", nodes: ["2", "3"], title: "Outer" });
    await edit(calls, { op: "makeSubgraph", nodes: ["2", "3"], title: "Both" });
    expect(calls.comfy.graph().groups).toEqual([]);
  });

  it("leave the frame in which their node stands, once they come apart", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["2"] }, { op: "group", nodes: ["1"], title: "First" });
    await edit(calls, { op: "group", nodes: ["4"], title: "Between" });
    await edit(calls, { op: "expandSubgraph", nodes: ["4"] });
    expect(calls.comfy.graph().groups.map(({ title }) => title)).toEqual(["First", "Between"]);
  });

  it("have what a batch adds inside by its name, also with the path in front, and in later batches", async () => {
    const calls = chain();
    await edit(calls, imageInSubgraph);
    expect(
      await edit(
        calls,
        { op: "add", inside: "4", type: "ImageScaleBy", as: "bigger" },
        { op: "insert", nodes: ["4:bigger"], to: "4:output.IMAGE" },
        { op: "promote", to: "4:bigger.scale_by" },
      ),
    ).toMatchObject({ ok: true, data: { nodes: { bigger: "4:5" } } });
    const later = { op: "title", nodes: ["4:bigger"], title: "Larger" };
    expect(await edit(calls, later)).toMatchObject({ ok: true });
    expect(await calls.call(getWorkflowInfo, { nodeIds: ["4:bigger"] })).toMatchObject({ ok: true });
    expect(await edit(calls, { ...later, nodes: ["7:bigger"] })).toMatchObject({ ok: false });
  });

  it("stand in the place of what went into them, on nothing else", async () => {
    const calls = chain();
    for (const [node, x] of [
      ["1", 0],
      ["3", 500],
      ["2", 1000],
    ] as const)
      await edit(calls, { op: "move", nodes: [node], position: { x, y: 0 } });
    await edit(calls, { op: "makeSubgraph", nodes: ["1", "2"], title: "Source" });
    const [save, source] = calls.comfy.graph().nodes;
    expect(save && source && overlaps(outline(save), outline(source))).toBe(false);
    expect(source?.position).toEqual({ x: 0, y: 0 });
  });

  it("come apart into the places that their nodes had", async () => {
    const calls = chain();
    const places = () => calls.comfy.graph().nodes.map(({ type, position }) => [type, position]);
    for (const [node, x] of [1, 2, 3].map((node) => [node, node * 500] as const))
      await edit(calls, { op: "move", nodes: [String(node)], position: { x, y: 0 } });
    const before = places();
    await edit(calls, { op: "makeSubgraph", nodes: ["1", "2"], title: "Source" });
    await edit(calls, { op: "expandSubgraph", nodes: ["4"] });
    expect(places()).toEqual(expect.arrayContaining(before));
  });

  it("come apart with the values that the same batch has set in them", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["1"], title: "Source" });
    expect(
      await edit(
        calls,
        { op: "set", nodes: ["4:1"], widgets: { width: 128 } },
        { op: "expandSubgraph", nodes: ["4"] },
      ),
    ).toMatchObject({ ok: true });
    expect(calls.lines().join("\n")).toContain("width=128");
  });

  it("come apart from where their node stands on, and what goes right for them is told", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["1", "2"], title: "Source" });
    await edit(
      calls,
      { op: "move", nodes: ["4"], position: { x: 2000, y: 500 } },
      { op: "move", nodes: ["3"], position: { x: 2300, y: 500 } },
    );
    expect(await edit(calls, { op: "expandSubgraph", nodes: ["4"] })).toMatchObject({
      summary: expect.stringMatching(/ 3 SaveImage moved \d+ px right images<4→6/),
    });
    const { nodes } = calls.comfy.graph();
    const [first] = nodes.filter(({ id }) => id === "5");
    expect(first?.position).toEqual({ x: 2000, y: 500 });
    for (const [index, one] of nodes.entries())
      for (const other of nodes.slice(index + 1)) expect(overlaps(outline(one), outline(other))).toBe(false);
  });

  it("do not come apart while types inside are not installed, which are named", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["1", "2"], title: "Source" });
    const saved = JSON.stringify(calls.comfy.whole.read().workflow);
    await calls.comfy.whole.load(JSON.parse(saved.replaceAll('"ImageInvert"', '"NotHere"')));
    const before = calls.lines();
    expect(await edit(calls, { op: "expandSubgraph", nodes: ["4"] })).toMatchObject({
      ok: false,
      error: expect.stringContaining(
        'Subgraph "Source" (node 4) cannot be expanded while nodes inside have types that are not installed: NotHere (4:2).',
      ),
      hint: "Install what has these types, or remove these nodes inside it first.",
    });
    expect(calls.lines()).toEqual(before);
    expect(
      await edit(calls, { op: "remove", nodes: ["4:2"] }, { op: "expandSubgraph", nodes: ["4"] }),
    ).toMatchObject({ ok: true });
  });

  it("stay as they are where ComfyUI does not take them apart", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["2"], title: "Flip" });
    calls.comfy.refuseUnpacking();
    const before = calls.lines();
    expect(await edit(calls, { op: "expandSubgraph", nodes: ["4"] })).toMatchObject({
      ok: false,
      error: expect.stringContaining("ComfyUI did not expand"),
    });
    expect(calls.lines()).toEqual(before);
  });

  it("stand in the place of what went into them, clear of what the same batch adds", async () => {
    const calls = chain();
    for (const [node, x] of [1, 2, 3].map((node) => [node, node * 500] as const))
      await edit(calls, { op: "move", nodes: [String(node)], position: { x, y: 0 } });
    const place = calls.comfy.node("1")?.position;
    await edit(
      calls,
      { op: "insert", type: "ImageScaleBy", to: "3.images" },
      { op: "makeSubgraph", nodes: ["1", "2"], title: "Source" },
    );
    const { nodes } = calls.comfy.graph();
    const [source, scale] = ["Source", "ImageScaleBy"].map((name) =>
      nodes.find(({ type, title }) => [type, title].includes(name)),
    );
    expect(source?.position).toEqual(place);
    expect(source && scale && overlaps(outline(source), outline(scale))).toBe(false);
  });

  it("are named in the batch that makes them, with what is inside", async () => {
    const calls = chain();
    expect(
      await edit(
        calls,
        { op: "add", type: "ImageScaleBy", as: "bigger", inputs: { image: "2.IMAGE" } },
        { op: "connect", from: "bigger.IMAGE", to: "3.images" },
        { op: "makeSubgraph", nodes: ["2", "bigger"], as: "flip", title: "Flip" },
        { op: "set", nodes: ["bigger"], widgets: { scale_by: 2 } },
        { op: "promote", to: "flip:bigger.scale_by", title: "factor" },
        { op: "title", nodes: ["flip:2"], title: "inner" },
        { op: "set", nodes: ["flip"], widgets: { factor: 3 } },
        { op: "add", type: "PreviewImage", inputs: { images: "flip.IMAGE" } },
      ),
    ).toMatchObject({ ok: true, data: { nodes: { bigger: "5:4", flip: "5" }, subgraphs: ["5"] } });
    expect(calls.lines()).toEqual([
      "1 EmptyImage",
      "3 SaveImage images<5",
      "5 S1 image<1 factor=3",
      "6 PreviewImage images<5",
      'subgraph S1 "Flip" at 5 in(image factor) out(IMAGE<4)',
      '2 ImageInvert "inner" image<input',
      "4 ImageScaleBy image<2 scale_by<input.factor",
      "end",
    ]);
  });

  it.each(["at once", "later"] as const)(
    "keep the links that ComfyUI loses by making them %s",
    async (when) => {
      const calls = losing("width", when);
      const before = calls.lines();
      const done = await edit(calls, imageInSubgraph);
      expect(done).toMatchObject({ ok: true });
      expect(done).not.toHaveProperty("data.notCarriedOver");
      expect(calls.lines()).toEqual([
        "1 PrimitiveInt",
        "3 SaveImage images<4",
        "4 S1 width<1",
        'subgraph S1 "Image" at 4 in(width) out(IMAGE<2)',
        "2 EmptyImage width<input",
        "end",
      ]);
      calls.comfy.undo();
      expect(calls.lines()).toEqual(before);
    },
  );

  it("name the links that ComfyUI loses and does not take again", async () => {
    const calls = losing("width");
    calls.comfy.refuseLinksInto("width");
    expect(await edit(calls, imageInSubgraph)).toMatchObject({
      summary: expect.stringContaining(" Not carried over: 4:2.width<1.INT."),
      data: { notCarriedOver: ["4:2.width<1.INT"] },
    });
  });

  it("show what ComfyUI shows by itself, which is told, or what the batch says", async () => {
    const made = [{ op: "makeSubgraph", nodes: ["1", "2"], as: "text", title: "Texts" }];
    const calls = () => {
      const calls = testCalls(["CLIPTextEncode", "CLIPTextEncode"]);
      calls.comfy.showInSubgraphs("text");
      return calls;
    };
    const unasked = calls();
    expect(await edit(unasked, ...made)).toMatchObject({
      summary: expect.stringContaining(" changed by ComfyUI with it: 3 shows text, text_1."),
    });
    const asked = calls();
    const result = await edit(
      asked,
      ...made,
      { op: "promote", to: "text:2.text", title: "negative" },
      { op: "set", nodes: ["text"], widgets: { negative: "blurry" } },
    );
    expect(JSON.stringify(result)).not.toContain("shows");
    expect(asked.comfy.node("3")?.inputs.filter(({ isWidget }) => isWidget)).toMatchObject([
      { name: "negative" },
    ]);
    expect(asked.comfy.node("3")?.widgets).toMatchObject([{ name: "negative", value: "blurry" }]);
  });

  it("stand in a group for what went into them", async () => {
    const calls = chain();
    expect(
      await edit(
        calls,
        { op: "group", nodes: ["1", "2"], title: "Source" },
        { op: "makeSubgraph", nodes: ["2"], title: "Flip" },
      ),
    ).toMatchObject({ data: { changes: { added: { 'group "Source"': "1 4" } } } });
    expect(
      await edit(calls, { op: "group", nodes: ["1"], title: "No" }, { op: "remove", nodes: ["1"] }),
    ).toMatchObject({ ok: false, error: 'No node of group "No" is left in its graph.' });
  });

  it("leave only a path to the nodes that went into them", async () => {
    const calls = chain();
    expect(
      await edit(
        calls,
        { op: "makeSubgraph", nodes: ["2"], as: "flip" },
        { op: "title", nodes: ["2"], title: "inner" },
      ),
    ).toMatchObject({ error: expect.stringContaining("Node 2 became flip:2 earlier in this batch.") });
  });

  it("go by the name that readings give them, too", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["2"], title: "Flip" });
    const texts = await Promise.all(
      ["S1:2", "2", "4:2"].map(
        async (id) => (await calls.call(getWorkflowInfo, { nodeIds: [id] })) as ToolSuccess,
      ),
    );
    expect(texts.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(new Set(texts.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    for (const { summary } of texts) expect(summary).toContain("node 4:2");
    expect(await edit(calls, { op: "mode", nodes: ["S1:2"], mode: "bypass" })).toMatchObject({
      summary: "Changed 4:2 ImageInvert bypassed.",
    });
    expect(await edit(calls, { op: "mode", nodes: ["S7:2"], mode: "bypass" })).toMatchObject({ ok: false });
  });

  it("have their nodes found, where only an id or a title is written", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["2"], title: "Flip" });
    for (const written of ["2", "Invert Image"])
      expect(await edit(calls, { op: "mode", nodes: [written], mode: "bypass" })).toEqual({
        ok: false,
        error: `There is no node "${written}" in the open graph.`,
        hint: "Elsewhere in the workflow: 4:2 ImageInvert. Use the path.",
        sendInstead: { operations: [{ op: "mode", nodes: ["4:2"], mode: "bypass" }] },
      });
    expect(await edit(calls, { op: "mode", nodes: ["9"], mode: "bypass" })).toMatchObject({
      hint: 'Nodes: 1 EmptyImage, 3 SaveImage, 4 Subgraph "Flip".',
    });
    expect(await calls.call(removeNode, { node: "Invert Image" })).toMatchObject({
      ok: false,
      sendInstead: { node: "4:2" },
    });
  });

  it("are not unconnected where what is inside can do without", async () => {
    const calls = testCalls(
      ["EmptyImage", "EmptyImage", "ImageStitch"],
      ["1.IMAGE>3.image1", "2.IMAGE>3.image2"],
    );
    await edit(calls, { op: "makeSubgraph", nodes: ["3"] });
    expect(
      await edit(calls, { op: "disconnect", to: "4.image1" }, { op: "disconnect", to: "4.image2" }),
    ).toMatchObject({
      data: {
        stillUnconnected: [
          "4.image1 (IMAGE) needs a source",
          "1 EmptyImage is used by nothing now",
          "2 EmptyImage is used by nothing now",
        ],
      },
    });
  });

  it("refuses to connect nodes of different graphs", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["2"] });
    expect(await edit(calls, { op: "connect", from: "1.IMAGE", to: "4:2.image" })).toMatchObject({
      ok: false,
      error: "EmptyImage (node 1) and ImageInvert (node 4:2) lie in different graphs.",
    });
  });

  it("reach the workflow's own nodes by a path that begins with /", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["2"] });
    calls.comfy.openSubgraph(["4"]);
    expect(await edit(calls, { op: "set", nodes: ["/1"], widgets: { width: 8 } })).toMatchObject({
      summary: "Changed /1 EmptyImage width=512→8.",
    });
  });
});
