import { describe, expect, it } from "vitest";
import type { Json } from "../graph/graph";
import { roomOf } from "./room";
import { newerNodes } from "./testing/newerNodes";
import { good, standInServer } from "./testing/standInServer";
import { testCalls } from "./testing/testCall";
import { validateWorkflow } from "./validateWorkflow";
import { type Installed, installedIn } from "./validation/canvas";
import { findProblems } from "./validation/findProblems";
import { choiceProblems } from "./validation/valueProblems";

const chain = () =>
  testCalls(["EmptyImage", "ImageInvert", "SaveImage"], ["1.IMAGE>2.image", "2.IMAGE>3.images"]);

describe("checking a workflow", () => {
  it("finds nothing in one that would run, and tells how much would", async () => {
    const { call, comfy } = chain();
    comfy.edit((editor) => editor.addNode("EmptyImage"));
    expect(await call(validateWorkflow)).toEqual({
      ok: true,
      summary: "No problems: 3 nodes would run; 1 lead to no output: 4 EmptyImage.",
      told: ["leadToNoOutput"],
      data: { problems: [], leadToNoOutput: ["4 EmptyImage"], loose: ["4.IMAGE"] },
    });
  });

  it("names by the canvas what leads nowhere and is not installed, whose type its prompt may lack", () => {
    const { comfy } = testCalls(["EmptyImage"]);
    expect(findProblems({ 1: { class_type: "?", inputs: {} } }, installedIn(comfy)).idle).toEqual([
      "1 EmptyImage",
    ]);
  });

  it.each([
    { check: "of the input", types: { KSampler: ["sampler_name"] }, isTold: false },
    { check: "of all inputs", types: { KSampler: ["*"] }, isTold: false },
    { check: "of another input", types: { KSampler: ["scheduler"], SaveImage: ["*"] }, isTold: true },
    { check: "that is not known", types: undefined, isTold: true },
  ])("tells a choice beside the list unless the node has a check $check", async ({ types, isTold }) => {
    const calls = testCalls(["KSampler", "LoadImage"]);
    calls.comfy.edit((editor) => {
      editor.setWidget("1", "sampler_name", "of_a_package");
      editor.setWidget("2", "image", "gone.png");
    });
    const reply = good({ types: { ...types, LoadImage: ["image"] } });
    calls.ask = standInServer(types && { "GET /environment/own-checks": reply }).ask;
    const told = JSON.stringify(await calls.call(validateWorkflow));
    expect(told.includes("of_a_package")).toBe(isTold);
    expect(told).toContain("gone.png");
  });

  it("tells that its last run failed where nothing else is wrong", async () => {
    const { call, comfy } = chain();
    const error = {
      node: "2",
      type: "ImageInvert",
      exception: "torch.OutOfMemoryError",
      message: "No room.",
    };
    comfy.queue.fail({ problems: [], error });
    expect(await call(validateWorkflow)).toMatchObject({
      summary:
        "No problems: 3 nodes would run. Its last run, as it was then: ImageInvert (node 2) failed: OutOfMemoryError: No room.",
    });
    comfy.edit((editor) => editor.addNode("SaveImage"));
    expect(await call(validateWorkflow)).toMatchObject({ summary: expect.not.stringContaining("last run") });
  });

  it("tells what comes out gray: part of an empty latent is kept", async () => {
    const { call, comfy } = testCalls(
      ["KSampler", "EmptyLatentImage", "VAEDecode", "SaveImage", "CheckpointLoaderSimple", "CLIPTextEncode"],
      [
        ...["5.MODEL>1.model", "6.CONDITIONING>1.positive", "6.CONDITIONING>1.negative", "5.CLIP>6.clip"],
        ...["2.LATENT>1.latent_image", "1.LATENT>3.samples", "5.VAE>3.vae", "3.IMAGE>4.images"],
      ],
    );
    const summary = async () => (await call(validateWorkflow)) as { summary: string };
    expect((await summary()).summary).not.toContain("gray");
    comfy.edit((editor) => editor.setWidget("1", "denoise", 0.3));
    expect(await summary()).toMatchObject({
      summary: expect.stringContaining("1.denoise=0.3 with 2 EmptyLatentImage"),
      data: { keepingNothing: ["1.denoise=0.3 with 2 EmptyLatentImage"] },
    });
  });

  it("tells files that do not go together, by what the server reads of their heads", async () => {
    const calls = testCalls(
      ["KSampler", "EmptyLatentImage", "VAEDecode", "SaveImage", "CheckpointLoaderSimple", "CLIPTextEncode"],
      [
        ...["5.MODEL>1.model", "6.CONDITIONING>1.positive", "6.CONDITIONING>1.negative", "5.CLIP>6.clip"],
        ...["2.LATENT>1.latent_image", "1.LATENT>3.samples", "3.IMAGE>4.images"],
      ],
    );
    const choices = calls.comfy.nodeDefinition("CheckpointLoaderSimple")?.inputs[0]?.choices ?? [];
    const [first = "", second = ""] = choices.map(String);
    calls.comfy.edit((editor) => {
      const other = editor.addNode("CheckpointLoaderSimple");
      editor.setWidget("5", "ckpt_name", first);
      editor.setWidget(other, "ckpt_name", second);
      editor.connect({ node: other, output: 2 }, { node: "3", input: 1 });
    });
    const heads = { [first]: { latents: 4, vaeLatents: 4 }, [second]: { vaeLatents: 16 } };
    calls.ask = standInServer({ "POST /environment/model-heads": good({ heads }) }).ask;
    expect(await calls.call(validateWorkflow)).toMatchObject({
      summary: expect.stringContaining(
        `1 problem: 3 VAEDecode.vae: ${first} makes latents of 4 channels, but ${second} takes 16.`,
      ),
      told: expect.arrayContaining([["problems", "0", "problem"]]),
      data: { problems: [{ fix: expect.stringContaining(`Set 7.ckpt_name to ${first}`) }] },
    });
  });

  it.each([300, 1_000, 30_000])("shows and counts all problems in a room of %i tokens", async (tokens) => {
    const calls = testCalls(Array.from({ length: 60 }, () => "SaveImage"));
    calls.comfy.edit((editor) => editor.addNode("EmptyImage"));
    calls.room = roomOf(tokens);
    const result = await calls.call(validateWorkflow);
    const {
      problems,
      leadToNoOutput = [],
      loose = [],
      leftOut,
      hint,
    } = (
      result as {
        data: { [list: string]: string[] } & { leftOut?: { [list: string]: number }; hint?: string };
      }
    ).data;
    const { problems: more = 0, ...others } = leftOut ?? {};
    expect((problems ?? []).length + more).toBe(60);
    const idle = leadToNoOutput.length + loose.length;
    expect(idle + Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(more > 0).toBe(tokens < 30_000);
    expect(hint).toBe(more > 0 ? "Mend what is told, then check again: the rest is told then." : undefined);
    expect(calls.room.holds(result)).toBe(true);
  });

  it("tells which files the device has no memory for, and smaller ones of theirs", async () => {
    const calls = chain();
    const smaller = { file: "b-fp8.safetensors", folder: "vae", url: "", sha256: "", isInstalled: true };
    const large = { name: "b", file: "b.safetensors", folder: "vae", size: 24e9, variants: [smaller] };
    const found = { packages: [], models: [], memory: 12e9, tooLarge: [large] };
    calls.ask = standInServer({ "POST /assistant/missing": good(found) }).ask;
    const note =
      "b.safetensors has 24.0 GB, the device 12.0 GB: slow or impossible; smaller variants: b-fp8.safetensors (installed).";
    expect(await calls.call(validateWorkflow)).toMatchObject({
      summary: `No problems: 3 nodes would run. ${note}`,
      data: { tooLarge: [note] },
    });
    calls.ask = standInServer().ask;
    expect(await calls.call(validateWorkflow)).toMatchObject({
      ok: true,
      data: { tooLarge: ["What has room in the device's memory is not known: It is absent."] },
    });
  });

  it("tells how large the models are, and the device's memory", async () => {
    const calls = chain();
    const sizes = [
      { file: "high.safetensors", size: 14.3e9 },
      { file: "vae.safetensors", size: 250e6 },
    ];
    const found = { packages: [], models: [], memory: 24e9, tooLarge: [], installed: sizes };
    calls.ask = standInServer({ "POST /assistant/missing": good(found) }).ask;
    expect(await calls.call(validateWorkflow)).toMatchObject({
      data: {
        memory:
          "Model files: high.safetensors 14.3 GB, vae.safetensors 250 MB (14.6 GB together; they need not all be loaded at once); this device has 24.0 GB.",
      },
    });
    calls.ask = standInServer({ "POST /assistant/missing": good({ ...found, installed: [] }) }).ask;
    expect(await calls.call(validateWorkflow)).not.toHaveProperty("data.memory");
  });

  it("finds that there is no output", async () => {
    const { call } = testCalls(["EmptyImage"]);
    expect(await call(validateWorkflow)).toMatchObject({
      data: {
        problems: [
          {
            problem: "No active node shows or saves a result, so nothing would run.",
            fix: "Connect 1.IMAGE to one of: SaveImage, PreviewImage, PreviewAny.",
          },
        ],
      },
    });
  });

  it("finds a required input that is not connected", async () => {
    const { call, comfy } = chain();
    comfy.edit((editor) => editor.disconnect({ node: "2", input: 0 }));
    expect(await call(validateWorkflow)).toMatchObject({
      summary: "1 problem: 2 ImageInvert.image: The required input image (IMAGE) is not connected.",
      data: {
        problems: [
          { node: "2 ImageInvert", input: "image", fix: "Connect 1.IMAGE to 2.image; nothing uses it yet." },
        ],
      },
    });
  });

  it("leaves nodes that lead to no output to the warnings", async () => {
    const { call, comfy } = chain();
    comfy.edit((editor) => editor.addNode("ImageInvert"));
    expect(await call(validateWorkflow)).toMatchObject({
      data: { problems: [], inNodesThatLeadToNoOutput: [{ node: "4 ImageInvert", input: "image" }] },
    });
  });
});

describe("problems of what would run", () => {
  const { comfy } = testCalls();
  const installed: Installed = { ...installedIn(comfy), graphAt: () => undefined };
  const node = (class_type: string, inputs: Record<string, Json>) => ({
    class_type,
    inputs,
  });
  const save = (source: string, slot = 0) =>
    node("SaveImage", { images: [source, slot], filename_prefix: "x" });
  const image = { width: 64, height: 64, batch_size: 1, color: 0 };

  it.each<[string, Parameters<typeof findProblems>[0], object]>([
    [
      "a type that is not installed",
      { 1: node("EmptyImag", {}), 2: save("1") },
      { kind: "missing-type", node: "1", fix: expect.stringContaining("EmptyImage") },
    ],
    [
      "a number out of range",
      { 1: node("EmptyImage", { ...image, width: 0 }), 2: save("1") },
      { kind: "wrong-value", input: "width", found: "0 does not fit width, integer 1..16384." },
    ],
    [
      "a fraction below the least, as a whole number",
      { 1: node("EmptyImage", { ...image, width: 0.9 }), 2: save("1") },
      { kind: "wrong-value", input: "width" },
    ],
    [
      "a choice that there is not",
      {
        1: node("EmptyImage", image),
        2: node("ImageScaleBy", { image: ["1", 0], upscale_method: "lancos", scale_by: 1 }),
        3: save("2"),
      },
      { kind: "wrong-choice", input: "upscale_method", fix: "Closest: lanczos." },
    ],
    [
      "a file that is not installed",
      {
        1: node("CheckpointLoaderSimple", { ckpt_name: "sd15/baze.safetensors" }),
        2: node("VAEDecode", { samples: ["3", 0], vae: ["1", 2] }),
        3: node("EmptyLatentImage", { width: 64, height: 64 }),
        4: save("2"),
      },
      {
        kind: "missing-file",
        node: "1",
        found: 'The file "sd15/baze.safetensors" is not installed.',
        fix: expect.stringMatching(/^findMissing lets the user fetch the file itself\. /),
      },
    ],
    [
      "an output of another type",
      {
        1: node("CheckpointLoaderSimple", { ckpt_name: "sdxl.safetensors" }),
        2: node("VAEDecode", { samples: ["3", 0], vae: ["1", 1] }),
        3: node("EmptyLatentImage", { width: 64, height: 64 }),
        4: save("2"),
      },
      { kind: "wrong-type", node: "2", input: "vae", fix: "Connect output VAE of node 1 instead." },
    ],
    [
      "an output that the source does not have",
      { 1: node("EmptyImage", image), 2: save("1", 3) },
      { kind: "wrong-type", node: "2", found: expect.stringContaining("output 3 of node 1 EmptyImage") },
    ],
    [
      "a source that is not there",
      { 2: save("1") },
      { kind: "missing-input", node: "2", input: "images", found: expect.stringContaining("node 1") },
    ],
    [
      "a loop",
      {
        1: node("ImageInvert", { image: ["2", 0] }),
        2: node("ImageInvert", { image: ["1", 0] }),
        3: save("2"),
      },
      { kind: "loop", found: "The links form a loop: 1 to 2 to 1." },
    ],
  ])("include %s", (_, nodes, problem) => {
    expect(findProblems(nodes, installed).errors).toEqual([expect.objectContaining(problem)]);
  });

  it.each([
    ["declares none", []],
    ["declares one of any type for all", [{ name: "*", type: "*" }]],
  ])("leave a source alone that %s", (_, outputs) => {
    const definitionOf = (type: string) => {
      const known = comfy.nodeDefinition(type);
      return type === "EmptyImage" && known ? { ...known, outputs } : known;
    };
    const prompt = { 1: node("EmptyImage", image), 2: save("1", 3) };
    expect(findProblems(prompt, { ...installed, definitionOf }).errors).toEqual([]);
  });

  it("take numbers as Python reads them, and name the default", () => {
    const found = (width: Json) =>
      findProblems({ 1: node("EmptyImage", { ...image, width }), 2: save("1") }, installed).errors;
    expect(["64", " 64 ", "1_024", 20.9, true].flatMap(found)).toEqual([]);
    for (const width of ["", "20.0", "0x10", "1e3", 0.9, false])
      expect(found(width)).toMatchObject([
        { kind: "wrong-value", fix: "Set a value in integer 1..16384, such as the default 512." },
      ]);
    const scale = (scale_by: Json) =>
      findProblems(
        {
          1: node("EmptyImage", image),
          2: node("ImageScaleBy", { image: ["1", 0], upscale_method: "lanczos", scale_by }),
          3: save("2"),
        },
        installed,
      ).errors;
    expect(["1e0", "1.", ".5", true].flatMap(scale)).toEqual([]);
    expect(scale("")).toHaveLength(1);
  });

  it("compare choices as Python does, and tell a text that looks like one of its numbers", () => {
    const found = (value: Json) => choiceProblems("size", [256, 512, true], value);
    expect([256, 512, 1, true].flatMap(found)).toEqual([]);
    expect(found("512")).toEqual([
      {
        kind: "wrong-value",
        found: '"512" of size is a string; its choices are no such ones.',
        fix: "Set the number 512.",
      },
    ]);
    expect(found(500)).toMatchObject([
      { kind: "wrong-choice", found: '"500" is not one of the 3 choices of size.' },
    ]);
  });

  it("call a subgraph by its name where it is the bypassed source", () => {
    const { comfy } = testCalls(["EmptyImage", "SaveImage"], ["1.IMAGE>2.images"]);
    comfy.edit((editor) => editor.makeSubgraph(["1"], "Sky"));
    comfy.edit((editor) => editor.setMode("3", "bypassed"));
    const { errors } = findProblems({ 2: node("SaveImage", { filename_prefix: "x" }) }, installedIn(comfy));
    expect(errors[0]).toMatchObject({
      found: 'Its source, node 3 Subgraph "Sky", is bypassed and hands nothing of type IMAGE on.',
    });
  });
});

const loader = "CheckpointLoaderSimple";

describe("a missing source", () => {
  const fixes = async (...given: Parameters<typeof testCalls>) => {
    const { errors } = await findings(...given);
    return errors.map(({ fix }) => fix);
  };

  it("is first looked for among what nothing uses", async () => {
    expect(await fixes(["EmptyImage", "SaveImage"])).toEqual([
      "Connect 1.IMAGE to 2.images; nothing uses it yet.",
    ]);
  });

  it("may be a node that is missing, where all that fits feeds something else", async () => {
    const [fix] = await fixes(["EmptyImage", "SaveImage", "SaveImage"], ["1.IMAGE>2.images"]);
    expect(fix).toMatch(/^No unused output gives IMAGE: a node may be missing before 3\.images, such as /);
    expect(fix).toContain("In use: 1.IMAGE (feeds 2.images).");
  });

  it("is neither a node that only hands on what it saves or shows, nor a type that does", async () => {
    const nodes = ["EmptyImage", "PreviewImage", "PreviewAny", "SaveImage"];
    const [fix] = await fixes(nodes, ["1.IMAGE>2.images", "1.IMAGE>3.source"], newerNodes);
    expect(fix).toBe(
      "No unused output gives IMAGE: a node may be missing before 4.images, such as EmptyImage. In use: 1.IMAGE (feeds 2.images, 3.source).",
    );
  });

  it("may be one that hands on what it saves, where something takes that already", async () => {
    const nodes = ["EmptyImage", "SaveImage", "PreviewImage", "PreviewImage"];
    const [fix] = await fixes(nodes, ["1.IMAGE>2.images", "2.images>3.images"], newerNodes);
    expect(fix).toContain("2.images (feeds 3.images)");
  });

  it("names the installed type between what is loose and what is open", async () => {
    const [fix] = await fixes([loader, "EmptyLatentImage", "SaveImage"]);
    expect(fix).toBe(
      "Nothing here gives IMAGE: a node may be missing before 3.images, such as VAEDecode (takes 2.LATENT).",
    );
  });

  it("may be there, but bypassed, and the node that would save the result muted", async () => {
    const { call, comfy } = testCalls(
      ["EmptyLatentImage", "VAEDecode", "SaveImage", "PreviewImage"],
      ["1.LATENT>2.samples", "2.IMAGE>3.images"],
    );
    comfy.edit((editor) => editor.setMode("2", "bypassed"));
    comfy.edit((editor) => editor.setMode("3", "muted"));
    expect(await call(validateWorkflow)).toMatchObject({
      data: {
        problems: [
          {
            node: "4 PreviewImage",
            fix: "No unused output gives IMAGE, but 2 VAEDecode, which is bypassed, would: make it active and connect it to 4.images.",
          },
        ],
        inactiveOutputs: ["3 SaveImage (muted)"],
      },
    });
    comfy.edit((editor) => editor.removeNode("4"));
    expect(await call(validateWorkflow)).toMatchObject({
      data: { problems: [{ fix: "Make one of these active: 3 SaveImage (muted)." }] },
    });
  });

  it("that is bypassed or muted inside a subgraph goes by its whole path", async () => {
    const { comfy } = testCalls(
      ["EmptyLatentImage", "VAEDecode", "SaveImage"],
      ["1.LATENT>2.samples", "2.IMAGE>3.images"],
    );
    comfy.edit((editor) => editor.makeSubgraph(["2", "3"], "Decode"));
    comfy.edit((editor) => editor.within(["4"]).setMode("2", "muted"));
    const nodes = { "4:3": { class_type: "SaveImage", inputs: { filename_prefix: "x" } } };
    expect(findProblems(nodes, installedIn(comfy)).errors).toMatchObject([
      {
        found: "Its source, node 4:2 VAEDecode, is muted and hands nothing of type IMAGE on.",
        fix: "Make node 4:2 active, or connect another source.",
      },
    ]);
  });

  it("of an inner node is the subgraph's own input, where that is empty", () => {
    const { comfy } = testCalls(
      ["EmptyImage", "ImageInvert", "SaveImage"],
      ["1.IMAGE>2.image", "2.IMAGE>3.images"],
    );
    comfy.edit((editor) => editor.makeSubgraph(["2", "3"], "Invert"));
    comfy.edit((editor) => editor.disconnect({ node: "4", input: 0 }));
    const nodes = { "4:2": { class_type: "ImageInvert", inputs: {} } };
    expect(findProblems(nodes, installedIn(comfy)).errors.at(-1)).toMatchObject({
      node: "4:2",
      fix: "Connect 1.IMAGE to 4.image; nothing uses it yet.",
    });
  });
});

describe("what stops no run", () => {
  it("is told of: loose results, bypassed nodes, and that nothing is saved", async () => {
    const { comfy } = testCalls(
      ["EmptyImage", "ImageInvert", "PreviewImage", "ImageInvert"],
      ["1.IMAGE>2.image", "2.IMAGE>3.images", "1.IMAGE>4.image"],
    );
    const { nodes } = await comfy.queue.prompt();
    comfy.edit((editor) => editor.setMode("2", "bypassed"));
    const { 2: _, ...others } = nodes;
    const run = { ...others, 3: { class_type: "PreviewImage", inputs: { images: ["1", 0] } } };
    expect(findProblems(run, installedIn(comfy))).toMatchObject({
      errors: [],
      idle: ["4 ImageInvert"],
      loose: ["4.IMAGE"],
      bypassed: ["2 ImageInvert"],
      onlyPreviews: true,
    });
    const cut = { 3: { class_type: "PreviewImage", inputs: {} } };
    expect(findProblems(cut, installedIn(comfy)).bypassed).toEqual([
      "2 ImageInvert: nothing reaches 3.images",
    ]);
  });

  it("is told of for each bypassed node of a chain", () => {
    const { comfy } = testCalls(
      ["EmptyImage", "ImageInvert", "ImageInvert", "SaveImage"],
      ["1.IMAGE>2.image", "2.IMAGE>3.image", "3.IMAGE>4.images"],
    );
    for (const node of ["2", "3"]) comfy.edit((editor) => editor.setMode(node, "bypassed"));
    const run = {
      1: { class_type: "EmptyImage", inputs: {} },
      4: { class_type: "SaveImage", inputs: { images: ["1", 0] } },
    };
    expect(findProblems(run, installedIn(comfy)).bypassed).toEqual(["3 ImageInvert", "2 ImageInvert"]);
  });

  it.each(["muted", "bypassed"] as const)("is not told of inside what is %s", (mode) => {
    const { comfy } = testCalls(["EmptyImage", "ImageInvert", "SaveImage"], ["1.IMAGE>3.images"]);
    comfy.edit((editor) => editor.makeSubgraph(["2"], "Invert"));
    const prompt = {
      1: { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
      3: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
      "4:2": { class_type: "ImageInvert", inputs: {} },
    };
    const found = () => findProblems(prompt, installedIn(comfy));
    expect([found().warnings.length, found().idle.length]).toEqual([1, 1]);
    comfy.edit((editor) => editor.setMode("4", mode));
    expect(found()).toMatchObject({ errors: [], warnings: [], idle: [], loose: [] });
  });

  it("is counted behind the problems", async () => {
    const { call } = testCalls(
      ["ImageInvert", "SaveImage", "EmptyImage", "ImageInvert"],
      ["1.IMAGE>2.images"],
    );
    expect(await call(validateWorkflow)).toMatchObject({
      summary: expect.stringMatching(/^1 problem, 1 more in nodes that lead to no output: /),
    });
  });
});

async function findings(...given: Parameters<typeof testCalls>) {
  const { comfy } = testCalls(...given);
  const { nodes } = await comfy.queue.prompt();
  return findProblems(nodes, installedIn(comfy));
}
