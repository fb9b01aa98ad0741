import { describe, expect, it } from "vitest";
import { getWorkflowInfo } from "./getWorkflowInfo";
import { countTokens, roomOf } from "./room";
import { newerNodes } from "./testing/newerNodes";
import { testCalls } from "./testing/testCall";
import { runTool } from "./tool";

describe("reading the workflow", () => {
  it("gives name, counts, revision and one line per node", async () => {
    const { call } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    expect(await call(getWorkflowInfo)).toEqual({
      ok: true,
      summary: expect.stringMatching(/^Read "Test": 2 nodes, 1 links \(revision [0-9a-f]{8}\)\.$/),
      data: {
        workflow: "Test",
        nodes: 2,
        links: 1,
        revision: expect.stringMatching(/^[0-9a-f]{8}$/),
        text: "1 EmptyImage width=512 height=512\n2 SaveImage images<1",
      },
    });
  });

  it("does not say that nothing takes what a node hands on that it saves or shows", async () => {
    const { lines } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"], newerNodes);
    expect(lines()).toEqual(["1 EmptyImage", "2 SaveImage images<1"]);
  });

  it("tells why the last run failed, until one is accepted", async () => {
    const { call, comfy } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    const error = {
      message: "header too small\nTraceback",
      node: "1",
      type: "EmptyImage",
      exception: "a.LoadError",
    };
    comfy.queue.fail({ problems: [], error });
    const lastRunFailed = "EmptyImage (node 1) failed: LoadError: header too small";
    expect(await call(getWorkflowInfo)).toMatchObject({ data: { lastRunFailed } });
    comfy.queue.fail(undefined);
    expect(await call(getWorkflowInfo)).not.toHaveProperty("data.lastRunFailed");
  });

  it("says that an empty workflow is empty", async () => {
    const { call } = testCalls();
    expect(await call(getWorkflowInfo)).toMatchObject({ data: { nodes: 0, text: "The workflow is empty." } });
  });

  it("tells nodes in order of flow, with the values that people ask about also at their defaults", async () => {
    const { call } = testCalls(["SaveImage", "KSampler", "EmptyLatentImage"], ["3.LATENT>2.latent_image"]);
    expect(await call(getWorkflowInfo)).toMatchObject({
      data: {
        text: expect.stringMatching(
          /^1 SaveImage images<\?\n3 EmptyLatentImage width=512 height=512\n2 KSampler .* steps=20 cfg=8 sampler_name=euler /,
        ),
      },
    });
  });

  it.each([[["1"]], [[1]], ["1"], ["EmptyImage"]])("gives everything about the nodes %o", async (nodeIds) => {
    const { call } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    expect(await call(getWorkflowInfo, { nodeIds })).toMatchObject({
      summary: expect.stringMatching(/^Read node 1 of "Test" \(revision/),
      data: {
        text: [
          "1 EmptyImage at 0,0 270x210",
          "  out IMAGE IMAGE >2.images",
          "  width=512 (integer 1..16384)",
          "  height=512 (integer 1..16384)",
          "  batch_size=1 (integer 1..4096)",
          "  color=0 (integer 0..16777215)",
        ].join("\n"),
      },
    });
  });

  it("reads all of it when the list of nodes is empty", async () => {
    const { call } = testCalls(["EmptyImage"]);
    expect(await call(getWorkflowInfo, { nodeIds: [] })).toMatchObject({
      data: { text: "1 EmptyImage width=512 height=512 >IMAGE" },
    });
  });

  it("refuses nodes that are not there", async () => {
    const { call } = testCalls(["EmptyImage"]);
    expect(await call(getWorkflowInfo, { nodeIds: ["9"] })).toMatchObject({
      ok: false,
      hint: "Nodes: 1 EmptyImage.",
    });
  });

  it.each([
    [30_000, "compact", 1],
    [16_000, "compact", 1],
    [12_000, "compact", 1],
    [4_000, "compact", 1],
    [2_500, "outline", 0],
    [1_500, "outline", 0],
  ])("takes the fullest form of which all fits into %i tokens: %s", async (tokens, view, values) => {
    const calls = testCalls();
    calls.room = roomOf(tokens);
    calls.comfy.edit((editor) => {
      for (let count = 1; count <= 150; count++) {
        const id = editor.addNode(count === 1 ? "CheckpointLoaderSimple" : "CLIPTextEncode");
        if (count === 1) continue;
        editor.setWidget(id, "text", `prompt ${count} ${"word ".repeat(60)}`);
        editor.connect({ node: "1", output: 1 }, { node: id, input: 0 });
      }
    });
    const result = await calls.call(getWorkflowInfo);
    expect(roomOf(tokens).holds(result)).toBe(true);
    const { text, leftOut } = (result as { data: { text: string; leftOut?: string } }).data;
    const lines = text.split("\n");
    expect(lines.map((line) => line.split(" ")[0])).toEqual(
      Array.from({ length: 150 }, (_, id) => `${id + 1}`),
    );
    expect(lines.slice(1).every((line) => / (clip)?<1(\.CLIP)?( |$)/.test(line))).toBe(true);
    expect(lines.slice(1).every((line) => line.includes("prompt"))).toBe(values === 1);
    expect(leftOut?.includes("nodeIds") ?? false).toBe(view === "outline");
  });

  it("tells a node in little room too, and how to ask for another", async () => {
    const calls = testCalls(["CLIPTextEncode", "CLIPTextEncode"]);
    for (const id of ["1", "2"])
      calls.comfy.edit((editor) => editor.setWidget(id, "text", "seven ".repeat(60)));
    calls.room = roomOf(140);
    const read = async (nodeIds: string[]) =>
      ((await calls.call(getWorkflowInfo, { nodeIds })) as { data: { text: string; leftOut?: string } }).data;
    const alone = await read(["2"]);
    expect(alone.text).toContain('text="seven seven');
    expect(alone.leftOut).toBeUndefined();
    expect((await read(["1", "2"])).leftOut).toMatch(
      / of 2 entries \([\d, ]+\)\. Ask for these nodes alone, in the next step\.$/,
    );
  });

  it("names the nodes that it tells and those that it leaves out", async () => {
    const calls = testCalls(["KSampler", "KSampler", "KSampler"]);
    calls.room = roomOf(330);
    expect(await calls.call(getWorkflowInfo, { nodeIds: ["1", "2", "3"] })).toMatchObject({
      summary: expect.stringMatching(/^Read node 1 of "Test" /),
      data: { leftOut: "2 of 3 entries (2, 3). Ask for these nodes alone, in the next step." },
    });
  });

  it("says of a node in which groups it lies, and of a group that it is empty", async () => {
    const { call, comfy } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    comfy.edit((editor) => {
      editor.addGroup("Made", ["1"]);
      editor.addGroup("Later", []);
    });
    const read = async (args: object) =>
      (((await call(getWorkflowInfo, args)) as { data: { text: string } }).data.text ?? "").split("\n");
    expect((await read({ nodeIds: ["1"], view: "around" }))[0]).toMatch(/^# 1 in group "Made" \[/);
    expect(await read({ nodeIds: ["Made", "Later"] })).toEqual([
      "# Later: no nodes",
      "1 EmptyImage width=512 height=512",
    ]);
    expect(await read({ nodeIds: ["Later"] })).toEqual(["# Later: no nodes"]);
  });

  it("names the nodes of groups, and how many more there are, where not even an outline fits", async () => {
    const calls = testCalls();
    calls.comfy.edit((editor) => {
      for (let count = 0; count < 400; count++) editor.addNode("EmptyImage");
      editor.addGroup("Left", ["1", "2", "3"]);
    });
    calls.room = roomOf(900);
    calls.outside = [];
    const result = await calls.call(getWorkflowInfo);
    expect(result.outside).toEqual(["the open workflow"]);
    expect(calls.room.holds(result)).toBe(true);
    const { text, leftOut } = (result as { data: { text: string; leftOut: string } }).data;
    expect(text).toContain("EmptyImage");
    expect(leftOut).toMatch(/^\d+ of 398 entries\. Widget values, .*subgraphs\. Pass nodeIds[^.]*\.$/);
  });

  it("outlines a thousand nodes by groups, chains and subgraphs, which it reads by their names", async () => {
    const { call, comfy } = testCalls();
    comfy.edit((editor) => {
      for (let group = 0; group < 40; group++) {
        const ids = Array.from({ length: 20 }, () => editor.addNode("ImageInvert"));
        ids.slice(1).forEach((id, index) => {
          editor.connect({ node: ids[index] ?? "", output: 0 }, { node: id, input: 0 });
        });
        if (group === 0) continue;
        for (const [index, id] of ids.entries()) editor.moveNode(id, { x: index * 400, y: group * 900 });
        editor.addGroup(`Pass ${group}`, ids);
      }
      const inner = Array.from({ length: 3 }, () => editor.addNode("EmptyImage"));
      editor.makeSubgraph(inner, "Backdrop");
      for (let count = 0; count < 200; count++) editor.addNode("SaveImage");
    });
    const read = async (args: object) =>
      (await call(getWorkflowInfo, args)) as { data: { text: string; leftOut?: string } };
    const { text, leftOut } = (await read({ view: "outline" })).data;
    expect(countTokens(text)).toBeLessThan(4_000);
    expect(leftOut).toContain("Pass a group, a chain or a subgraph by its name");
    const lines = text.split("\n");
    expect(lines[0]).toBe('group "Pass 1" [0 870 7870 70] 20 nodes: ImageInvert*20');
    expect(lines).toContain("chain 1 20 nodes: ImageInvert*20");
    expect(lines.at(-1)).toMatch(/^subgraph S1 "Backdrop" at \d+ 3 nodes: EmptyImage\*3$/);
    for (const [name, count] of [
      ["Pass 7", 20],
      ["chain 1", 20],
      ['group "Pass 39"', 20],
      ["S1", 3],
      ["subgraph Backdrop", 3],
    ] as const) {
      const part = (await read({ nodeIds: [name] })).data.text.split("\n");
      expect(part.filter((line) => /^\d+ (ImageInvert|EmptyImage)/.test(line))).toHaveLength(count);
    }
  });

  it("shows what is inside subgraphs, and which one is open", async () => {
    const { call, comfy } = testCalls(
      ["EmptyImage", "ImageInvert", "SaveImage"],
      ["1.IMAGE>2.image", "2.IMAGE>3.images"],
    );
    const node = comfy.edit((editor) => editor.makeSubgraph(["2"], "Negative"));
    comfy.openSubgraph([node]);
    expect(await call(getWorkflowInfo)).toMatchObject({
      data: {
        openSubgraph: `S1 "Negative", node ${node}; ids without a path mean nodes in it`,
        nodes: 4,
        text: [
          "1 EmptyImage width=512 height=512",
          `${node} S1 image<1`,
          `3 SaveImage images<${node}`,
          `subgraph S1 "Negative" at ${node} in(image) out(IMAGE<2)`,
          "2 ImageInvert image<input",
          "end",
        ].join("\n"),
      },
    });
  });
});

describe("a view of the workflow", () => {
  const chain = () =>
    testCalls(
      ["EmptyImage", "ImageInvert", "ImageInvert", "SaveImage"],
      ["1.IMAGE>2.image", "2.IMAGE>3.image", "3.IMAGE>4.images"],
    );
  const textOf = (result: unknown) => (result as { data: { text: string } }).data.text;

  it("is ids, types and where inputs come from, as an outline", async () => {
    const { call } = chain();
    expect(textOf(await call(getWorkflowInfo, { view: "outline" }))).toBe(
      "1 EmptyImage\n2 ImageInvert <1\n3 ImageInvert <2\n4 SaveImage <3",
    );
  });

  it("is a node with its neighbours, as far as asked for", async () => {
    const { call } = chain();
    const near = async (depth?: number) =>
      textOf(
        await call(getWorkflowInfo, {
          view: "around",
          nodeIds: ["1"],
          ...(depth !== undefined && { depth }),
        }),
      );
    expect(await near()).toBe("1 EmptyImage width=512 height=512\n2 ImageInvert image<1");
    expect(await near(2)).toContain("3 ImageInvert image<2");
    expect(await near(0)).toBe("1 EmptyImage width=512 height=512");
  });

  it("has the nodes that were asked for and the nearest where not all fit", async () => {
    const count = 40;
    const consumers = Array.from({ length: count }, () => "ImageInvert");
    const links = consumers.map((_, index) => `1.IMAGE>${index + 2}.image`);
    const calls = testCalls(["EmptyImage", ...consumers, "SaveImage"], [...links, "41.IMAGE>42.images"]);
    calls.room = roomOf(250);
    const result = await calls.call(getWorkflowInfo, { view: "around", nodeIds: ["41"], depth: 2 });
    expect(textOf(result)).toMatch(
      /^1 EmptyImage\n(\d+ ImageInvert.*\n)*41 ImageInvert image<1\n42 SaveImage/,
    );
    expect(result).toMatchObject({ data: { leftOut: expect.stringContaining("of 42 entries") } });
  });

  it("is around the nodes where only a depth is given", async () => {
    const { call } = chain();
    expect(textOf(await call(getWorkflowInfo, { nodeIds: ["1"], depth: 2 }))).toContain(
      "3 ImageInvert image<2",
    );
  });

  it.each([
    [{ depth: 3 }, "depth"],
    [{ view: "outline", values: "full" }, "values"],
  ])("tells what %o has no use for", async (args, name) => {
    const { call } = chain();
    expect(await call(getWorkflowInfo, args)).toMatchObject({
      summary: expect.stringMatching(new RegExp(`This view has no ${name}: that was ignored\\.$`)),
      data: { notUsed: [name] },
    });
  });

  it.each(["selection", "changes"])("is no %s of some nodes", async (view) => {
    const { call } = chain();
    expect(await call(getWorkflowInfo, { view, nodeIds: ["1"] })).toMatchObject({
      ok: false,
      error: expect.stringContaining("nodeIds were given too"),
      hint: "Leave nodeIds out, or view.",
    });
  });

  it("is what changed with its values whole, where they are asked for", async () => {
    const { call, comfy } = testCalls(["CLIPTextEncode"]);
    await call(getWorkflowInfo);
    comfy.edit((editor) => editor.setWidget("1", "text", "cat ".repeat(100)));
    const result = await call(getWorkflowInfo, { view: "changes", values: "full" });
    expect(textOf(result)).toContain("cat ".repeat(100).trim());
  });

  it("is a node inside a subgraph with its neighbours, by its path", async () => {
    const { call, comfy } = chain();
    const node = comfy.edit((editor) => editor.makeSubgraph(["2", "3"], "Twice"));
    expect(textOf(await call(getWorkflowInfo, { view: "around", nodeIds: [`${node}:3`], depth: 0 }))).toBe(
      `# inside ${node}\n3 ImageInvert image<2`,
    );
    expect(textOf(await call(getWorkflowInfo, { nodeIds: [`${node}:3`] }))).toContain("3 ImageInvert");
  });

  it("finds nodes outside of the subgraph that is open, where no inner one has their id", async () => {
    const { call, comfy } = chain();
    const node = comfy.edit((editor) => editor.makeSubgraph(["2", "3"], "Twice"));
    comfy.openSubgraph([node]);
    expect(textOf(await call(getWorkflowInfo, { nodeIds: ["4"] }))).toContain("4 SaveImage");
    expect(textOf(await call(getWorkflowInfo, { nodeIds: ["3"] }))).toContain("3 ImageInvert");
  });

  it("is what the user has selected", async () => {
    const { call, comfy } = chain();
    expect(textOf(await call(getWorkflowInfo, { view: "selection" }))).toBe("Nothing is selected.");
    comfy.select("2", "4");
    expect(textOf(await call(getWorkflowInfo, { view: "selection" }))).toBe(
      "2 ImageInvert image<1\n4 SaveImage images<3",
    );
  });

  it("is what changed since the model last read it", async () => {
    const { call, comfy } = chain();
    await call(getWorkflowInfo);
    comfy.edit((editor) => editor.setWidget("1", "width", 64));
    expect(textOf(await call(getWorkflowInfo, { view: "changes" }))).toBe("~ 1 EmptyImage width=512→64");
    expect(textOf(await call(getWorkflowInfo, { view: "changes" }))).toBe("Nothing changed.");
  });

  it("is what changed since this conversation last read it, not another one", async () => {
    const { comfy } = chain();
    const view = async (thread: string) =>
      textOf(
        await runTool(getWorkflowInfo, { view: "changes" }, comfy, {
          signal: new AbortController().signal,
          room: roomOf(),
          onProgress() {},
          confirm: async () => true,
          thread,
        }),
      );
    await view("one");
    comfy.edit((editor) => editor.setWidget("1", "width", 64));
    expect(await view("two")).toContain("4 SaveImage images<3");
    expect(await view("one")).toBe("~ 1 EmptyImage width=512→64");
    expect(await view("two")).toBe("Nothing changed.");
  });

  it("is all of it when it was never read before", async () => {
    const { call } = chain();
    const first = await call(getWorkflowInfo, { view: "changes" });
    expect(first).toMatchObject({
      summary: expect.stringMatching(/^Read "Test", all of it, which you had not read before: 4 nodes/),
    });
    expect(textOf(first)).toContain("4 SaveImage images<3");
  });

  it("has long values cut unless they are asked for", async () => {
    const { call, comfy } = testCalls(["CLIPTextEncode"]);
    comfy.edit((editor) => editor.setWidget("1", "text", "cat ".repeat(100)));
    expect(textOf(await call(getWorkflowInfo))).toContain("…+200");
    expect(textOf(await call(getWorkflowInfo, { values: "full" }))).toContain("cat ".repeat(100));
    for (const asked of [
      { view: "full" },
      { view: "all" },
      { values: true },
      { view: "compact", values: "all" },
    ])
      expect(await call(getWorkflowInfo, asked)).toEqual(await call(getWorkflowInfo, { values: "full" }));
  });

  it("names the nodes that it was not told of", async () => {
    const { call } = chain();
    expect(await call(getWorkflowInfo, { view: "around" })).toMatchObject({
      ok: false,
      hint: expect.stringContaining("ids"),
    });
    expect(await call(getWorkflowInfo, { nodeIds: ["7:9"] })).toMatchObject({ ok: false });
  });
});
