import { describe, expect, it } from "vitest";
import { createFakeComfy } from "../comfy/fake";
import { writeCompact } from "../graph/compact/write";
import { pngOf, webpOf } from "../graph/testPictures";
import type { JsonObject } from "../graph/uiWorkflow";
import { applyWorkflow } from "./applyWorkflow";
import { look } from "./read/sight";
import { roomOf } from "./room";
import { testCalls } from "./testing/testCall";
import { runTool, ToolError } from "./tool";

const picture = "1 EmptyImage width=64\n2 SaveImage images<1 filename_prefix=cat";
const api = {
  "5": { class_type: "EmptyImage", inputs: { width: 64, height: 512, batch_size: 1, color: 0 } },
  "6:2": { class_type: "SaveImage", inputs: { images: ["5", 0], filename_prefix: "cat" } },
};
const ui = {
  nodes: [
    {
      id: 1,
      type: "EmptyImage",
      outputs: [{ name: "IMAGE", type: "IMAGE", links: [1] }],
      widgets_values: [64, 512, 1, 0],
    },
    {
      id: 2,
      type: "SaveImage",
      inputs: [{ name: "images", type: "IMAGE", link: 1 }],
      widgets_values: ["cat"],
    },
  ],
  links: [[1, 1, 0, 2, 0, "IMAGE"]],
};

const allowing = {
  signal: new AbortController().signal,
  room: roomOf(),
  onProgress() {},
  confirm: async () => true,
};

const textOf = (calls: ReturnType<typeof testCalls>) => writeCompact(look(calls.comfy).workflow);

describe("applying a workflow", () => {
  it("takes of several outputs that were not named the only one that the input takes", async () => {
    const { call, comfy } = testCalls();
    const workflow = "1 LoadImage\n2 SaveImage images<1\n3 MaskPreview mask<1";
    expect(await call(applyWorkflow, { workflow, allowMissing: true })).toMatchObject({ ok: true });
    expect(comfy.graph().nodes.find(({ id }) => id === "2")?.inputs[0]?.linkedFrom?.name).toBe("IMAGE");
  });

  const asWritten = " Lines that are not told are as written.";

  it.each<[string, unknown, string]>([
    ["lines", picture, asWritten],
    ["lines in a code block", `\`\`\`\n${picture}\n\`\`\``, asWritten],
    ["the editor's JSON", JSON.stringify(ui), ""],
    ["the editor's JSON as an object", ui, ""],
    ["JSON that holds the editor's", { workflow: ui, prompt: api }, ""],
  ])("builds it from %s", async (_, workflow, told) => {
    const calls = testCalls();
    expect(await calls.call(applyWorkflow, { workflow })).toMatchObject({
      ok: true,
      summary: `Replaced "Test" by 2 nodes.${told}`,
      data: { nodes: 2, revision: look(calls.comfy).revision },
    });
    expect(textOf(calls)).toBe(picture);
    expect(calls.asked).toEqual([]);
  });

  it("tells of the lines those that are otherwise than written", async () => {
    const workflow = "1 EmptyImage width=64 height=64 batch_size=1 color=#ff0000\n2 SaveImage images<1";
    const { call } = testCalls();
    const first = (await call(applyWorkflow, { workflow })) as { data: { text: string } };
    expect(first.data.text).toBe('1 EmptyImage width=64 height=64 color="#ff0000"');
    const again = testCalls();
    await again.call(applyWorkflow, { workflow });
    const result = await again.call(applyWorkflow, { workflow: again.lines().join("\n") });
    expect(result).toMatchObject({ summary: expect.stringContaining("All lines are as written.") });
    expect(result).not.toHaveProperty("data.text");
  });

  it("fills in what a hand-written file leaves out, and keeps what it says", async () => {
    const comfy = createFakeComfy();
    const loaded: unknown[] = [];
    const { load } = comfy.whole;
    Object.assign(comfy.whole, {
      load: (workflow: JsonObject) => {
        loaded.push(workflow);
        return load(workflow);
      },
    });
    const [first, second] = ui.nodes;
    const workflow = { ...ui, nodes: [{ ...first, pos: [7, 8], mode: 4 }, second] };
    await runTool(applyWorkflow, { workflow }, comfy, allowing);
    expect(loaded).toMatchObject([
      {
        last_node_id: 2,
        last_link_id: 1,
        version: 0.4,
        nodes: [
          { id: 1, pos: [7, 8], mode: 4, order: 0, flags: {}, properties: {} },
          { id: 2, pos: [320, 0], mode: 0, order: 1 },
        ],
      },
    ]);
  });

  it("builds it from the API's JSON, where nodes of subgraphs get ids of their own", async () => {
    const calls = testCalls();
    expect(await calls.call(applyWorkflow, { workflow: api })).toMatchObject({ ok: true });
    expect(textOf(calls)).toBe("5 EmptyImage width=64\n6 SaveImage images<5 filename_prefix=cat");
  });

  it("replaces what is open once the user allows it, as one step", async () => {
    const calls = testCalls(["ImageInvert"]);
    const steps = calls.comfy.undoSteps;
    await calls.call(applyWorkflow, { workflow: picture });
    expect(calls.asked).toMatchObject([
      { title: "Replace the workflow “Test”?", detail: "Its 1 nodes make way for 2 others." },
    ]);
    expect(calls.comfy.undoSteps).toBe(steps + 1);
    calls.comfy.undo();
    expect(textOf(calls)).toBe("1 ImageInvert image<? >IMAGE");
  });

  it("changes nothing when the user does not allow it", async () => {
    const calls = testCalls(["ImageInvert"]);
    calls.isAllowed = false;
    expect(await calls.call(applyWorkflow, { workflow: picture })).toMatchObject({
      ok: false,
      error: "The user declined: Replace the workflow “Test”? Nothing was changed.",
    });
    expect(textOf(calls)).toBe("1 ImageInvert image<? >IMAGE");
  });

  it("puts it beside what is open without asking, under ids that are free", async () => {
    const calls = testCalls(["EmptyImage", "ImageInvert"], ["1.IMAGE>2.image"]);
    expect(await calls.call(applyWorkflow, { workflow: picture, mode: "insert" })).toMatchObject({
      data: {
        changes: { added: { "3": "EmptyImage", "4": "SaveImage" }, changed: {}, removed: {} },
        nodes: 4,
      },
    });
    expect(textOf(calls)).toBe(
      "1 EmptyImage\n2 ImageInvert image<1 >IMAGE\n3 EmptyImage width=64\n4 SaveImage images<3 filename_prefix=cat",
    );
    const [one, , three] = calls.comfy.graph().nodes;
    expect(three?.position.x).toBeGreaterThan((one?.position.x ?? 0) + (one?.size.width ?? 0));
  });

  it("answers with the lines, what is open in them and what was used instead", async () => {
    const calls = testCalls(["ImageInvert"]);
    const workflow = "1 EmptyImage width=64\n2 ImageInvert\n3 NoSuch images<1";
    const replacements = { NoSuch: "SaveImage", Other: "SaveImage" };
    expect(await calls.call(applyWorkflow, { workflow, replacements })).toMatchObject({
      summary: expect.stringContaining(
        "Not replaced, since it is nowhere in it: Other. Still unconnected: 2.image (IMAGE) needs a source",
      ),
      told: ["stillUnconnected"],
      data: {
        text: expect.stringMatching(
          /^1 EmptyImage width=64 height=512\n2 ImageInvert image<\? >IMAGE\n3 SaveImage images<1/,
        ),
        replaced: ["NoSuch → SaveImage, 1 time"],
        stillUnconnected: expect.arrayContaining(["2.image (IMAGE) needs a source"]),
      },
    });
  });

  it("compares nothing by ids that are equal by accident, and names a tab as the template", async () => {
    const comfy = createFakeComfy({ templates: { portrait: ui } });
    comfy.edit((editor) => editor.addNode("EmptyImage"));
    const replaced = await runTool(applyWorkflow, { template: "portrait" }, comfy, allowing);
    expect(replaced).toMatchObject({
      ok: true,
      data: expect.not.objectContaining({ changes: expect.anything() }),
    });
    expect(comfy.marks).toEqual({ added: [], changed: [] });
    expect(
      await runTool(applyWorkflow, { template: "portrait", mode: "newTab" }, comfy, allowing),
    ).toMatchObject({
      data: { workflow: "portrait" },
    });
  });

  it("tells and marks what became different, and takes nodes of the same number and another type for others", async () => {
    const calls = testCalls(["EmptyImage", "ImageInvert", "PreviewImage"], ["1.IMAGE>3.images"]);
    const result = await calls.call(applyWorkflow, {
      workflow: "1 EmptyImage width=64\n2 SaveImage images<1\n3 PreviewImage images<1",
    });
    expect(result).toMatchObject({
      data: {
        changes: {
          added: { "2": "SaveImage" },
          changed: { "1": "EmptyImage width=512→64" },
          removed: { "2": "ImageInvert" },
        },
      },
    });
    expect(calls.comfy.marks).toMatchObject({ added: ["2"], changed: ["1"] });
  });

  it("names the first nodes of very many", async () => {
    const workflow = Array.from({ length: 60 }, (_, index) => `${index + 1} EmptyImage`).join("\n");
    const result = await testCalls().call(applyWorkflow, { workflow });
    expect(result).toMatchObject({ data: { notNamed: 20, nodes: 60 } });
    expect(JSON.stringify(result)).toContain('"40":"EmptyImage"}');
  });

  it("opens a tab, on which the turn goes on", async () => {
    const comfy = createFakeComfy();
    const followed: string[] = [];
    const context = {
      signal: new AbortController().signal,
      room: roomOf(),
      onProgress() {},
      confirm: async () => false,
      follow: (key: string) => followed.push(key),
    };
    const result = await runTool(applyWorkflow, { workflow: picture, mode: "newTab" }, comfy, context);
    expect(result).toMatchObject({ ok: true, summary: `Opened "New workflow" with 2 nodes.${asWritten}` });
    expect(followed).toEqual([comfy.workflow().key]);
  });

  it("keeps the places of nodes that stay, and values that were cut for reading", async () => {
    const calls = testCalls(["CLIPTextEncode"]);
    calls.comfy.edit((editor) => editor.setWidget("1", "text", "cat ".repeat(100)));
    calls.comfy.edit((editor) => editor.moveNode("1", { x: 700, y: 90 }));
    const [line = ""] = writeCompact(look(calls.comfy).workflow, { valueLength: 50 }).split("\n");
    await calls.call(applyWorkflow, { workflow: `${line}\n2 ImageInvert` });
    const node = calls.comfy.node("1");
    expect(node?.position).toEqual({ x: 700, y: 90 });
    expect(node?.widgets[0]?.value).toBe("cat ".repeat(100));
  });

  it("takes nothing over from another workflow that has an id and a type in common with it", async () => {
    const calls = testCalls(["EmptyImage", "ImageInvert", "PreviewImage"]);
    calls.comfy.edit((editor) => editor.moveNode("2", { x: -700, y: 90 }));
    const workflow = "1 LoadImage image=cat.png\n2 ImageInvert image<1\n3 ImageBlur image<2";
    await calls.call(applyWorkflow, { workflow, mode: "newTab", allowMissing: true });
    expect(calls.comfy.node("2")?.position.x).toBeGreaterThan(calls.comfy.node("1")?.position.x ?? NaN);
  });

  it("refuses a cut value whose whole is nowhere", async () => {
    const calls = testCalls();
    expect(
      await calls.call(applyWorkflow, { workflow: '1 CLIPTextEncode text="a cat "…+394' }),
    ).toMatchObject({
      ok: false,
      error: "The value text of node 1 is only its beginning: 394 characters were cut for reading.",
    });
  });

  it("tells what ComfyUI lacks, with what comes closest, and changes nothing", async () => {
    const calls = testCalls(["ImageInvert"]);
    const workflow = "1 EmptyImge\n2 CheckpointLoaderSimple ckpt_name=nowhere.safetensors";
    expect(await calls.call(applyWorkflow, { workflow })).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /^Not installed, so nothing was changed: node type EmptyImge \(node 1; closest: EmptyImage.*\); CheckpointLoaderSimple ckpt_name=nowhere\.safetensors \(node 2; nothing like it is installed, only /,
      ),
    });
    expect(textOf(calls)).toBe("1 ImageInvert image<? >IMAGE");
    expect(calls.asked).toEqual([]);
  });

  it("tells a file that a subgraph shows as its own, and each type once with its nodes", async () => {
    const calls = testCalls();
    const workflow = `7 S1 ckpt_name=nowhere.safetensors
1 Nowhere
2 Nowhere
3 SaveImage images<7
subgraph S1 "Load it" at 7 in(ckpt_name) out(IMAGE<5)
4 CheckpointLoaderSimple ckpt_name<input
5 VAEDecode samples<6 vae<4
6 EmptyLatentImage
8 Nowhere
9 Nowhere
end`;
    expect(await calls.call(applyWorkflow, { workflow })).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /node type Nowhere \(nodes 1, 2, Load it: 8, 9; .*CheckpointLoaderSimple ckpt_name=nowhere\.safetensors \(node Load it: 4; nothing like it is installed, only /,
      ),
      // Small models are offered this argument, and no others that would help.
      hint: expect.stringMatching(/^Pass allowMissing to apply it as it is: (?!.*replacements)/),
    });
  });

  it("takes what it is told to use instead", async () => {
    const calls = testCalls();
    const workflow = "1 EmptyImge width=64\n2 SaveImage images<1";
    expect(
      await calls.call(applyWorkflow, { workflow, replacements: { EmptyImge: "EmptyImage" } }),
    ).toMatchObject({ ok: true });
    expect(textOf(calls)).toBe("1 EmptyImage width=64\n2 SaveImage images<1");
  });

  it("counts what is missing beyond what it names", async () => {
    const calls = testCalls();
    const lines = Array.from({ length: 20 }, (_, index) => `${index + 1} Nowhere${index}`);
    const result = await calls.call(applyWorkflow, { workflow: lines.join("\n"), allowMissing: true });
    const { missing } = (result as { data: { missing: string[] } }).data;
    expect(missing).toHaveLength(13);
    expect(missing.at(-1)).toBe("and 8 more; findMissing tells all");
  });

  it.each([true, "true"])("applies it even so when told to by %j", async (allowMissing) => {
    const calls = testCalls();
    const result = await calls.call(applyWorkflow, {
      workflow: "1 Nowhere a=1\n2 SaveImage images<1",
      allowMissing,
    });
    expect(result).toMatchObject({ ok: true, data: { missing: [expect.stringContaining("Nowhere")] } });
  });

  it("takes a template by its name", async () => {
    const comfy = createFakeComfy({ templates: { cats: ui } });
    const call = (args: object) => runTool(applyWorkflow, args, comfy, allowing);
    expect(await call({ template: "cats" })).toMatchObject({ ok: true });
    expect(await call({ template: "dogs" })).toMatchObject({
      ok: false,
      error: 'There is no template "dogs".',
    });
  });

  it.each<[string, string]>([
    ["a PNG of a run", "output/sub/a.png"],
    ["a PNG with the API's form alone", "prompt.png"],
    ["a WebP", "a.webp"],
    ["the user's JSON", "input/a.json"],
  ])("takes %s by its file", async (_, file) => {
    const comfy = createFakeComfy({
      files: {
        "a.png": pngOf({ workflow: JSON.stringify(ui), prompt: "{}" }),
        "prompt.png": pngOf({ prompt: JSON.stringify(api) }),
        "a.webp": webpOf([`prompt:${JSON.stringify(api)}`, `workflow:${JSON.stringify(ui)}`]),
        "a.json": new TextEncoder().encode(JSON.stringify(ui)),
      },
    });
    const result = await runTool(applyWorkflow, { file }, comfy, allowing);
    expect(result).toMatchObject({ ok: true, data: { nodes: 2 } });
  });

  it("opens what a file holds in a tab of its own, unless nothing is open or it is told otherwise", async () => {
    const files = { "a.json": new TextEncoder().encode(JSON.stringify(ui)) };
    const comfy = createFakeComfy({ files });
    const asked: string[] = [];
    const confirm = async ({ title }: { title: string }) => asked.push(title) > 0;
    const call = (args: object) =>
      runTool(applyWorkflow, { file: "input/a.json", ...args }, comfy, { ...allowing, confirm });
    expect(await call({})).toMatchObject({ summary: 'Replaced "Test" by 2 nodes.' });
    expect(await call({})).toMatchObject({ summary: 'Opened "a" with 2 nodes.' });
    expect(asked).toEqual([]);
    expect(await call({ mode: "replace" })).toMatchObject({ summary: 'Replaced "a" by 2 nodes.' });
    expect(asked).toEqual(["Replace the workflow “a”?"]);
  });

  it.each<[string, string]>([
    ["plain.png", "plain.png holds no workflow. Nothing was changed."],
    ["plain.webp", "plain.webp holds no workflow. Nothing was changed."],
    ["clip.mp4", "clip.mp4 holds no workflow. Nothing was changed."],
    ["a1111.png", "a1111.png holds no workflow. Nothing was changed."],
    ["other.json", "This JSON is no ComfyUI workflow: it has steps, seed."],
    ["broken.json", "This begins like JSON and is none"],
    ["nowhere.png", "There is no file nowhere.png in ComfyUI's output, temp or input folder."],
  ])("refuses %s", async (name, error) => {
    const text = (content: string) => new TextEncoder().encode(content);
    const comfy = createFakeComfy({
      files: {
        "plain.png": pngOf({}),
        "plain.webp": webpOf([]),
        "clip.mp4": text("ftyp"),
        "a1111.png": pngOf({ parameters: "a cat, Steps: 20" }),
        "other.json": text('{"steps": 20, "seed": 1}'),
        "broken.json": text('{"nodes": ['),
      },
    });
    expect(await runTool(applyWorkflow, { file: `input/${name}` }, comfy, allowing)).toMatchObject({
      ok: false,
      error: expect.stringContaining(error),
      hint: expect.any(String),
    });
    expect(comfy.undoSteps).toBe(0);
  });

  it.each<[string, object, string]>([
    ["nothing", {}, "No workflow was given."],
    ["two things", { workflow: picture, template: "cats" }, "Both workflow and template were given"],
    ["broken JSON", { workflow: '{"nodes": [' }, "This begins like JSON and is none"],
    [
      "another tool's JSON",
      { workflow: { steps: [], seed: 1 } },
      "This JSON is no ComfyUI workflow: it has steps, seed.",
    ],
    ["a list", { workflow: [1] }, "This JSON is no ComfyUI workflow: it is a list."],
    ["an empty workflow", { workflow: { nodes: [], links: [] } }, "The workflow has no nodes."],
    ["a sentence", { workflow: "Here you are:" }, 'Line 1: "are:" is neither'],
    [
      "a circle",
      { workflow: "1 ImageInvert image<2\n2 ImageInvert image<1" },
      "nodes 1 <- 2 <- 1 feed each other in a circle",
    ],
    [
      "a link from nowhere",
      { workflow: "1 SaveImage images<9" },
      "node 1 SaveImage, input images: there is no node 9",
    ],
    [
      "an output that is not there",
      { workflow: "1 EmptyImage\n2 SaveImage images<1.MASK" },
      "node 1 has no output MASK; it has IMAGE",
    ],
    [
      "5,000 nodes",
      { workflow: Array.from({ length: 5000 }, (_, index) => `${index} EmptyImage`).join("\n") },
      "The workflow has 5000 nodes; at most 3000 can be applied.",
    ],
  ])("refuses %s and leaves the graph as it was", async (_, args, error) => {
    const calls = testCalls(["ImageInvert"]);
    expect(await calls.call(applyWorkflow, args)).toMatchObject({
      ok: false,
      error: expect.stringContaining(error),
      hint: expect.any(String),
    });
    expect(textOf(calls)).toBe("1 ImageInvert image<? >IMAGE");
    expect(calls.asked).toEqual([]);
  });
});

describe("applying what a handle names", () => {
  const info = (data: object) => JSON.stringify({ ok: true, summary: "Read it.", data });
  const behind: Record<string, string> = {
    r1: info({ workflow: "Test", nodes: 2, links: 1, text: picture }),
    r2: info({ workflow: "Test", nodes: 9, links: 1, text: picture }),
    r3: info({ workflow: "Test", nodes: 2, view: "outline", text: "1 EmptyImage\n2 SaveImage" }),
    r4: JSON.stringify({ ok: false, error: "There is no node 7." }),
    r5: info({ models: ["a.safetensors"] }),
    u1: `Please open this:\n\n${JSON.stringify(ui, null, 2)}\n\nThanks!`,
    u2: `This\n\`\`\`json\n${JSON.stringify(api)}\n\`\`\``,
    u3: `<attached name="a.json">\n${JSON.stringify(ui)}\n</attached>`,
    u4: "Make it {more} red",
  };
  const readBack = async (ref: string) => {
    const text = behind[ref];
    if (text === undefined) throw new ToolError(`There is nothing behind "${ref}".`, "There are: r1 to r5.");
    return text;
  };

  it.each(["r1", "u1", "u2", "u3"])("takes the workflow of %s", async (ref) => {
    const comfy = createFakeComfy();
    const result = await runTool(applyWorkflow, { ref }, comfy, { ...allowing, readBack });
    expect(result).toMatchObject({ ok: true, data: { nodes: 2 } });
  });

  it.each([
    ["r2", "r2 shows 2 of 9 nodes of the workflow. Nothing was changed."],
    ["r3", "r3 shows no values of the workflow. Nothing was changed."],
    ["r4", "r4 is a call that failed: There is no node 7. Nothing was changed."],
    ["r5", "r5 holds no workflow: Read it. Nothing was changed."],
    ["u4", "u4 holds no workflow. Nothing was changed."],
    ["r9", 'There is nothing behind "r9".'],
  ])("refuses %s", async (ref, error) => {
    const comfy = createFakeComfy();
    const result = await runTool(applyWorkflow, { ref }, comfy, { ...allowing, readBack });
    expect(result).toMatchObject({ ok: false, error, hint: expect.any(String) });
    expect(comfy.undoSteps).toBe(0);
  });

  it("refuses handles outside a conversation", async () => {
    expect(await runTool(applyWorkflow, { ref: "r1" }, createFakeComfy(), allowing)).toMatchObject({
      ok: false,
      error: expect.stringContaining("belongs to none"),
    });
  });
});
