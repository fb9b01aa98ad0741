import { describe, expect, it } from "vitest";
import type { GraphChangesTold } from "../../shared/graphChanges";
import { chain, edit } from "../testing/editCalls";
import { type TestCalls, testCalls } from "../testing/testCall";
import type { ToolSuccess } from "../tool";

describe("what a batch has changed", () => {
  const changesOf = async (calls: TestCalls, ...operations: unknown[]) => {
    const result = await edit(calls, ...operations);
    return result.ok
      ? { summary: result.summary, ...(result.data as { changes: GraphChangesTold }).changes }
      : result;
  };

  it("is told with what was there before", async () => {
    const calls = chain();
    const changes = await changesOf(
      calls,
      { op: "set", nodes: ["1"], widgets: { width: 64 } },
      { op: "connect", from: "1.IMAGE", to: "3.images" },
      { op: "mode", nodes: ["2"], mode: "bypass" },
      { op: "title", nodes: ["2"], title: "middle" },
      { op: "color", nodes: ["2"], color: "#f00" },
      { op: "move", nodes: ["2"], position: { x: 500, y: 700 } },
    );
    expect(changes).toMatchObject({
      changed: {
        "1": "EmptyImage width=512→64",
        "2": 'ImageInvert titled "middle" bypassed color #ff0000 moved 100 px right and 700 px down',
        "3": "SaveImage images<2→1",
      },
    });
  });

  it("is told to models once: in the summary, and in the data what that has no room for", async () => {
    const toldOf = async (calls: TestCalls, ...operations: unknown[]) =>
      ((await edit(calls, ...operations)) as ToolSuccess).told;
    const removal = { op: "remove", nodes: ["2"], rejoin: false };
    expect(await toldOf(chain(), removal)).toEqual(["changes", "stillUnconnected"]);
    expect(
      await toldOf(
        chain(),
        { op: "set", nodes: ["1"], widgets: { width: 64 } },
        { op: "mode", nodes: ["2"], mode: "active" },
      ),
    ).toEqual(["changes"]);
    const many = testCalls(Array.from({ length: 30 }, () => "EmptyImage"));
    const nodes = many.comfy.graph().nodes.map(({ id }) => id);
    const { summary, told, data } = (await edit(many, {
      op: "set",
      nodes,
      widgets: { width: 64 },
    })) as ToolSuccess<{ changes: { changed: object } }>;
    const shown = nodes.filter((id) => summary.includes(`${id} EmptyImage width`));
    expect(summary).toContain(` and ${nodes.length - shown.length} more.`);
    expect(told).toEqual([
      ["changes", "added"],
      ...shown.map((id) => ["changes", "changed", id]),
      ["changes", "removed"],
    ]);
    expect(Object.keys(data.changes.changed)).toEqual(nodes);
  });

  it("is told to models once of groups, too, and of those of one title where all of them are told", async () => {
    const calls = testCalls(Array.from({ length: 40 }, () => "EmptyImage"));
    const ids = calls.comfy.graph().nodes.map(({ id }) => id);
    const long = "a title that takes a good part of the room of a summary ";
    const titles = [`${long} 1`, `${long} 2`, "twin", "twin", `${long} 3`, `${long} 4`, `${long} 5`, "twin"];
    const { summary, told, data } = (await edit(
      calls,
      ...titles.map((title, index) => ({ op: "group", nodes: ids.slice(index * 5, index * 5 + 5), title })),
    )) as ToolSuccess<{ changes: GraphChangesTold }>;
    const names = told?.flatMap((each) => (each[1] === "added" ? [each[2]] : []));
    expect(summary).toContain(" more");
    expect(names).toEqual([`group "${long} 1"`, `group "${long} 2"`]);
    expect(Object.keys(data.changes.added)).toEqual(expect.arrayContaining(names as string[]));
  });

  it("is told with what an insertion leaves as it was", async () => {
    const calls = testCalls(
      ["EmptyImage", "SaveImage", "PreviewImage"],
      ["1.IMAGE>2.images", "1.IMAGE>3.images"],
    );
    const { summary } = (await changesOf(calls, { op: "insert", to: "2.images", type: "ImageInvert" })) as {
      summary: string;
    };
    expect(summary).toContain("Not moved: 3.images still takes 1.IMAGE.");
  });

  it("says nothing is left where the same batch moves it", async () => {
    const calls = testCalls(
      ["EmptyImage", "SaveImage", "PreviewImage"],
      ["1.IMAGE>2.images", "1.IMAGE>3.images"],
    );
    const { summary } = (await edit(
      calls,
      { op: "insert", to: "2.images", type: "ImageInvert", as: "new" },
      { op: "connect", from: "new.IMAGE", to: "3.images" },
    )) as { summary: string };
    expect(summary).toContain("3 PreviewImage images<1→4");
    expect(summary).not.toContain("Not moved");
  });

  it("is told with as many values as a line has room for", async () => {
    const calls = testCalls(Array.from({ length: 30 }, () => "EmptyImage"));
    const nodes = calls.comfy.graph().nodes.map(({ id }) => id);
    const { summary } = (await changesOf(calls, { op: "set", nodes, widgets: { width: 64 } })) as {
      summary: string;
    };
    expect(summary).toMatch(/^Changed 1 EmptyImage width=512→64, 2 EmptyImage .* and \d+ more\.$/);
    expect(summary.length).toBeLessThan(320);
  });

  it("is nothing where it was so before, and why", async () => {
    const calls = chain();
    const result = await edit(
      calls,
      { op: "set", nodes: ["1"], widgets: { width: 512 } },
      { op: "connect", from: "1.IMAGE", to: "2.image" },
      { op: "mode", nodes: ["2"], mode: "active" },
      { op: "color", nodes: ["2"], color: "none" },
    );
    expect(result).toMatchObject({
      summary:
        "Nothing became different: 1.width is 512 already, 1.IMAGE goes into 2.image already, 2 is active already, 2 has no color already.",
    });
  });

  it("is not told as so already where a later operation makes it otherwise", async () => {
    const calls = chain();
    calls.comfy.edit((editor) => editor.addGroup("Both", ["1", "2"]));
    const twice = (first: object, second: object) =>
      [first, second].map((each) => ({ nodes: ["2"], ...each }));
    const result = await edit(
      calls,
      ...twice(
        { op: "set", nodes: ["1"], widgets: { width: 512 } },
        { op: "set", nodes: ["1"], widgets: { width: 64 } },
      ),
      ...twice({ op: "mode", mode: "active" }, { op: "mode", mode: "bypass" }),
      ...twice({ op: "color", color: "none" }, { op: "color", color: "red" }),
      ...twice({ op: "title", title: "Invert Image" }, { op: "title", title: "Mine" }),
      ...twice(
        { op: "title", nodes: ["Both"], title: "Both" },
        { op: "title", nodes: ["Both"], title: "Two" },
      ),
      ...twice({ op: "color", nodes: ["Two"], color: "none" }, { op: "color", nodes: ["Two"], color: "red" }),
      { op: "connect", from: "2.IMAGE", to: "3.images" },
      { op: "connect", from: "1.IMAGE", to: "3.images" },
    );
    expect(result).toMatchObject({ ok: true, summary: expect.stringContaining("width=512→64") });
    expect(result).not.toHaveProperty("data.unchanged");
  });

  it("is told with nothing to be done that a later operation does", async () => {
    const calls = testCalls(["EmptyLatentImage", "KSampler", "PreviewImage"], ["1.LATENT>2.latent_image"]);
    const { summary } = (await edit(
      calls,
      { op: "set", nodes: ["2"], widgets: { seed: 7 } },
      { op: "add", type: "CheckpointLoaderSimple", as: "loader" },
      { op: "add", type: "CLIPTextEncode", as: "text", inputs: { clip: "loader.CLIP" } },
      { op: "add", type: "VAEDecode", as: "decode", inputs: { samples: "2.LATENT" } },
      { op: "connect", from: "loader.VAE", to: "decode.vae" },
      { op: "connect", from: "decode.IMAGE", to: "3.images" },
      { op: "connect", from: "loader.MODEL", to: "2.model" },
      { op: "connect", from: "text.CONDITIONING", to: ["2.positive", "2.negative"] },
      { op: "set", nodes: ["loader"], widgets: { ckpt_name: "sd15/base.safetensors" } },
      { op: "set", nodes: ["2"], widgets: { control_after_generate: "fixed" } },
    )) as ToolSuccess;
    expect(summary).toMatch(/^Added .*; changed [^.]*\. Moved: 3 PreviewImage 260 px right\.$/);
  });

  it("is told apart where ComfyUI changes another node with it", async () => {
    const calls = chain();
    const { edit: editOnce } = calls.comfy;
    calls.comfy.edit = (change, options) =>
      editOnce((editor) => {
        const result = change(editor);
        editor.setWidget("1", "height", 96);
        return result;
      }, options);
    expect(await edit(calls, { op: "mode", nodes: ["2"], mode: "bypass" })).toMatchObject({
      summary:
        "Changed 1 EmptyImage height=512→96, 2 ImageInvert bypassed. Not asked for, and changed by ComfyUI with it: 1 EmptyImage height=512→96.",
    });
  });

  it("is what an edit leaves without a use", async () => {
    const calls = chain();
    expect(await edit(calls, { op: "connect", from: "1.IMAGE", to: "3.images" })).toMatchObject({
      summary: "Changed 3 SaveImage images<2→1. Still unconnected: 2 ImageInvert is used by nothing now.",
      data: { stillUnconnected: ["2 ImageInvert is used by nothing now"] },
    });
  });

  it("is a group, too", async () => {
    const calls = chain();
    expect(await changesOf(calls, { op: "group", nodes: ["1", "2"], title: "source" })).toEqual({
      summary: 'Added group "source" (1 2).',
      added: { 'group "source"': "1 2" },
      changed: {},
      removed: {},
    });
    expect(await changesOf(calls, { op: "remove", nodes: ["2"] })).toMatchObject({
      changed: { "3": "SaveImage images<2→1", 'group "source"': "-2" },
      removed: { "2": "ImageInvert" },
    });
  });

  it("names the nodes of a group that is taken for a node", async () => {
    const calls = chain();
    await edit(calls, { op: "group", nodes: ["1", "2"], title: "Source" });
    for (const name of ["source", 'group "Source"'])
      expect(await edit(calls, { op: "set", nodes: [name], widgets: { width: 8 } })).toMatchObject({
        ok: false,
        error: expect.stringContaining(`"${name}" is a group and no node.`),
        hint: expect.stringContaining("Name the nodes in it: 1, 2."),
      });
  });

  it("is that a new node is not active", async () => {
    const calls = chain();
    const added = { op: "add", type: "ImageInvert", as: "x" };
    expect(await edit(calls, added, { op: "mode", nodes: ["x"], mode: "bypass" })).toMatchObject({
      summary: expect.stringMatching(/^Added 4 ImageInvert bypassed\./),
    });
  });

  it("is a mode of many nodes by their ids alone, behind what else has changed", async () => {
    const calls = testCalls(["EmptyImage", "ImageInvert", "ImageInvert", "ImageInvert", "SaveImage"]);
    const result = await edit(
      calls,
      { op: "mode", nodes: ["2", "3", "4", "5"], mode: "mute" },
      { op: "set", nodes: ["1"], widgets: { width: 64 } },
    );
    expect(result).toMatchObject({
      summary: expect.stringMatching(/^Changed 1 EmptyImage width=512→64, 2 3 4 5 muted\./),
    });
    const changed = { "2": "ImageInvert muted", "5": "SaveImage muted" };
    expect(result).toMatchObject({ data: { changes: { changed } } });
  });

  it("is a subgraph that is bypassed with all that is in it", async () => {
    const calls = chain();
    await edit(calls, { op: "makeSubgraph", nodes: ["1", "2"], title: "Flip" });
    const switched = { op: "mode", nodes: ["4", "4:1", "4:2"], mode: "bypass" };
    expect(await changesOf(calls, switched)).toMatchObject({
      summary: expect.stringMatching(/^Changed 4 Subgraph "Flip" bypassed\./),
    });
    expect(await changesOf(calls, { op: "mode", nodes: ["4", "4:1"], mode: "active" })).toMatchObject({
      summary: expect.stringContaining('Changed 4 Subgraph "Flip" active.'),
    });
    expect(await changesOf(calls, { op: "mode", nodes: ["4:2"], mode: "mute" })).toMatchObject({
      changed: { "4:2": "ImageInvert muted" },
    });
  });

  it("is what comes out of a subgraph, and leaves the inside of a new one to its node", async () => {
    const calls = chain();
    expect(await changesOf(calls, { op: "makeSubgraph", nodes: ["2"], title: "Flip" })).toEqual({
      summary: 'Added 4 Subgraph "Flip" (2 moved into it); changed 3 SaveImage images<2→4.',
      added: { "4": 'Subgraph "Flip" (2 moved into it)' },
      changed: { "3": "SaveImage images<2→4" },
      removed: {},
    });
    const operations = [
      { op: "add", inside: "4", type: "ImageInvert", as: "again", inputs: { image: "4:2.IMAGE" } },
      { op: "connect", from: "again.IMAGE", to: "4:output.IMAGE" },
    ];
    expect(await changesOf(calls, ...operations)).toMatchObject({
      added: { "4:5": "ImageInvert" },
      changed: { "4:output": "IMAGE<2→5" },
    });
  });
});
