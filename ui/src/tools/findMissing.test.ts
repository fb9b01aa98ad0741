import { isValidElement } from "react";
import { describe, expect, it } from "vitest";
import { applyWorkflow } from "./applyWorkflow";
import { findMissing } from "./findMissing";
import type { MissingCard } from "./missing/MissingCard";
import {
  BEGIN,
  cardOf,
  LOOK_UP,
  lacking,
  large,
  MISSING,
  model,
  OFFER,
  pack,
  REGISTRY,
  withServer,
} from "./testing/missingCalls";
import { bad, downloadReply, good, offerReply, standInServer } from "./testing/standInServer";

describe("findMissing", () => {
  it("says that nothing is missing, and what is too large for the device", async () => {
    const { calls } = withServer({ [MISSING]: lacking({ memory: 12e9, tooLarge: [large] }) });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      summary:
        "Nothing is missing. b.safetensors has 24.0 GB, the device 12.0 GB: slow or impossible; another model may help.",
    });
    expect(calls.asked).toEqual([]);
  });

  it("lets the person choose what is smaller where nothing is missing but room", async () => {
    const here = { file: "b-fp8.safetensors", folder: "vae", url: "u", sha256: "", isInstalled: true };
    const tooLarge = [{ ...large, variants: [here, { ...here, file: "q4", isInstalled: false }] }];
    const { calls } = withServer({ [MISSING]: lacking({ memory: 12e9, tooLarge }) });
    calls.isAllowed = false;
    expect(await calls.call(findMissing)).toMatchObject({
      code: "declined",
      error: "The user declined: what is smaller.",
    });
    expect(calls.asked.map(({ title }) => title)).toEqual([
      "This workflow has files that are larger than this device's memory. Do what is chosen here?",
    ]);
    expect(cardOf(calls)).toContain("Use b-fp8.safetensors");
    expect(cardOf(calls)).toContain("A yes changes nothing.");
  });

  it("counts the nodes that it does not name", async () => {
    const { calls } = withServer({ [MISSING]: lacking({ models: [model({ moreNodes: 3 })] }) });
    calls.isAllowed = false;
    expect(await calls.call(findMissing)).toMatchObject({
      error: expect.stringContaining("for 1 CheckpointLoaderSimple and 3 more)"),
    });
  });

  it("asks nobody without a yes that names whom, and tells the model what is missing", async () => {
    const models = [model(), model({ name: "c", file: "c", url: "https://civitai.com/c" })];
    const { server, calls } = withServer({ [MISSING]: lacking({ models, packages: [pack()] }) });
    calls.isAllowed = false;
    expect(await calls.call(findMissing)).toMatchObject({
      ok: false,
      code: "declined",
      error:
        "The user declined: looking it up. Missing: kjnodes (brings ImageResizeKJ); b.safetensors (checkpoints, for 1 CheckpointLoaderSimple); c (checkpoints, for 1 CheckpointLoaderSimple). b.safetensors: Get it by hand from https://huggingface.co/b into models/checkpoints; c: Get it by hand from https://civitai.com/c into models/checkpoints",
    });
    expect(calls.asked).toEqual([
      {
        title: "Look up 2 model files and 1 node package for this workflow?",
        detail: [
          "huggingface.co is asked for the size and licence of b.safetensors.",
          "civitai.com is asked for the size and licence of c.",
          "The public registry is asked who publishes these; only their names are sent: kjnodes.",
        ].join("\n"),
        always: true,
        allow: "Look up",
      },
    ]);
    expect(server.requests.map(({ at }) => at)).toEqual([
      MISSING,
      "GET /v2/manager/version",
      "GET /manager/version",
    ]);
  });

  it("asks once for what it looked up before", async () => {
    const { calls } = withServer({
      [MISSING]: lacking({ models: [model()] }),
      [OFFER]: offerReply({ file: "b.safetensors" }),
    });
    calls.answer = ({ title }) => LOOK_UP.test(title);
    await calls.call(findMissing);
    await calls.call(findMissing);
    expect(calls.asked.map(({ title }) => LOOK_UP.test(title))).toEqual([true, false, false]);
  });

  it("puts first what has room in the device's memory, and offers as much for installed files", async () => {
    const fp8 = {
      file: "b-fp8",
      folder: "vae",
      url: "https://huggingface.co/fp8",
      sha256: "",
      isInstalled: false,
    };
    const { calls } = withServer({
      [MISSING]: lacking({
        models: [model({ folder: "vae", variants: [fp8] })],
        tooLarge: [
          { ...large, name: "l", file: "l", variants: [{ ...fp8, file: "l-fp8", isInstalled: true }] },
        ],
        memory: 3e9,
      }),
      [OFFER]: [
        offerReply({ id: "o1", file: "b.safetensors", size: 4e9 }),
        offerReply({ id: "o2", file: "b-fp8", size: 2e9, free: 1e9 }),
      ],
    });
    calls.answer = ({ title }) => LOOK_UP.test(title);
    await calls.call(findMissing);
    expect([...cardOf(calls).matchAll(/<option[^>]*>([^<]*)/g)].map(([, label]) => label)).toEqual([
      "Fetch b-fp8 instead",
      "Fetch it",
      "Leave it",
      "Keep it",
      "Use l-fp8",
    ]);
    expect(cardOf(calls)).toContain(
      "A yes fetches 1 file (2.0 GB from huggingface.co, but only 1.0 GB are free).",
    );
    expect(cardOf(calls)).toContain("installed, 24.0 GB; the device has 3.0 GB: slow or impossible");
  });

  it("offers a smaller run where a file has no room, and sets it with the same yes", async () => {
    const { calls } = withServer(
      {
        [MISSING]: lacking({
          models: [model({ url: "", instead: ["here.safetensors"] })],
          tooLarge: [large],
          memory: 12e9,
        }),
      },
      ["EmptyLatentImage"],
    );
    calls.comfy.edit((editor) => {
      editor.setWidget("1", "width", 1024);
      editor.setWidget("1", "height", 1024);
    });
    calls.answer = ({ body }) => {
      if (isValidElement<Parameters<typeof MissingCard>[0]>(body)) body.props.chosen.set([1, 1]);
      return true;
    };
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      summary: expect.stringMatching(
        /^Set 1.width = 704, 1.height = 704\..*less of it: 1 EmptyLatentImage: 704 × 704/s,
      ),
    });
    expect(cardOf(calls)).toContain("Set 704 × 704");
    expect(calls.comfy.node("1")?.widgets.map(({ value }) => value)).toEqual([704, 704]);
  });

  it("puts an installed file in the place of a missing one where the person chose so", async () => {
    const { calls } = withServer(
      { [MISSING]: lacking({ models: [model({ name: "gone.safetensors", url: "", instead: [] })] }) },
      ["CheckpointLoaderSimple"],
    );
    const [first = "", second = ""] = (calls.comfy.nodeDefinition("CheckpointLoaderSimple")?.inputs[0]
      ?.choices ?? []) as string[];
    calls.comfy.edit((editor) => editor.setWidget("1", "ckpt_name", "gone.safetensors"));
    calls.ask = standInServer({
      [MISSING]: lacking({
        models: [model({ name: "gone.safetensors", url: "", instead: [second || first] })],
      }),
    }).ask;
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      summary: `Set 1.ckpt_name = ${second || first}.`,
    });
    expect(calls.comfy.node("1")?.widgets[0]?.value).toBe(second || first);
    expect(calls.asked).toHaveLength(1);
  });

  it("puts it there in bypassed and muted nodes, too, inside of subgraphs as well", async () => {
    const loader = "CheckpointLoaderSimple";
    const { calls } = withServer({}, [loader, loader, loader, loader]);
    const here = String(calls.comfy.nodeDefinition(loader)?.inputs[0]?.choices?.[0]);
    const gone = model({ name: "gone.safetensors", types: [loader], url: "", instead: [here] });
    calls.comfy.edit((editor) => {
      for (const id of ["1", "2", "3"]) editor.setWidget(id, "ckpt_name", gone.name);
      editor.setWidget("4", "ckpt_name", "of another one");
      editor.setMode("2", "bypassed");
      editor.setMode("3", "muted");
      editor.setMode("4", "muted");
      editor.makeSubgraph(["3"], "Second");
    });
    calls.ask = standInServer({ [MISSING]: lacking({ models: [gone] }) }).ask;
    expect(await calls.call(findMissing)).toMatchObject({
      summary: `Set 1.ckpt_name = ${here}, 2.ckpt_name = ${here}, 5:3.ckpt_name = ${here}.`,
    });
    expect(calls.comfy.node("4")?.widgets[0]?.value).toBe("of another one");
  });

  it("tells what was not set, and sets the rest", async () => {
    const { calls } = withServer({}, ["CheckpointLoaderSimple", "CheckpointLoaderSimple"]);
    const here = String(calls.comfy.nodeDefinition("CheckpointLoaderSimple")?.inputs[0]?.choices?.[0]);
    calls.comfy.edit((editor) => {
      editor.setWidget("1", "ckpt_name", "gone.safetensors");
      editor.setWidget("2", "ckpt_name", "gone too.safetensors");
    });
    const gone = (name: string, instead: string) => model({ name, file: name, url: "", instead: [instead] });
    const models = [gone("gone.safetensors", "nowhere.safetensors"), gone("gone too.safetensors", here)];
    calls.ask = standInServer({ [MISSING]: lacking({ models }) }).ask;
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      data: {
        set: [`2.ckpt_name = ${here}`],
        failed: [expect.stringContaining("1.ckpt_name = nowhere.safetensors was not set: ")],
      },
    });
    expect(calls.comfy.node("1")?.widgets[0]?.value).toBe("gone.safetensors");
    expect(calls.comfy.node("2")?.widgets[0]?.value).toBe(here);
  });

  it("says where the registry did not answer, which is no advice to install by hand", async () => {
    const packages = [pack(), pack({ id: "other", types: ["Fade"] })];
    const toldWith = async (reply: ReturnType<typeof good>) => {
      const { calls } = withServer({
        [MISSING]: lacking({ packages, models: [model({ url: "", instead: ["a"] })] }),
        [REGISTRY]: reply,
      });
      calls.answer = ({ title }) => LOOK_UP.test(title);
      await calls.call(findMissing);
      return cardOf(calls);
    };
    const unanswered = { ids: {}, types: {}, unanswered: ["other"], why: "it did not answer within 10 s" };
    const partly = await toldWith(good(unanswered));
    expect(partly).toContain("The registry does not tell: it did not answer within 10 s");
    expect(partly).toContain("Install it by hand if you trust it");
    const none = await toldWith(bad("registry_unavailable", 502));
    expect(none.match(/The registry does not tell: It is registry_unavailable/g)).toHaveLength(2);
    const alone = withServer({
      [MISSING]: lacking({ packages }),
      [REGISTRY]: bad("registry_unavailable", 502),
    });
    expect(await alone.calls.call(findMissing)).toMatchObject({
      summary: expect.stringMatching(
        /^The registry does not tell: It is registry_unavailable\. .*Missing: (?!.*registry_unavailable).*: Look again later/,
      ),
    });
  });

  it("offers a file that lies elsewhere as it can be chosen, and names what a note said", async () => {
    const { calls, server } = withServer({
      [MISSING]: lacking({
        models: [
          model({ name: "x/b.safetensors", url: "", instead: ["mine/b.safetensors"], isElsewhere: true }),
          model({ file: "c", name: "c", isFromNote: true }),
        ],
      }),
      [OFFER]: offerReply({ file: "c" }),
    });
    calls.answer = ({ title }) => LOOK_UP.test(title);
    await calls.call(findMissing);
    expect(cardOf(calls)).toContain("installed under another path");
    expect(cardOf(calls)).toContain("Use mine/b.safetensors");
    expect(cardOf(calls)).toContain("a note in the workflow names the source");
    expect(server.requests.filter(({ at }) => at === OFFER)).toHaveLength(1);
  });

  it("does not take types of the page alone for missing", async () => {
    const { calls } = withServer({
      [MISSING]: lacking({ packages: [pack({ id: "", types: ["KSampler"] })] }),
    });
    expect(await calls.call(findMissing)).toMatchObject({ summary: "Nothing is missing." });
  });

  it("replaces what ComfyUI has another type in the place of, wherever it lies, and asks no registry", async () => {
    const replaced = [{ type: "OldInvert", by: "ImageInvert" }];
    const { server, calls } = withServer({ [MISSING]: lacking({ replaced }) }, [], {
      replacements: {
        OldInvert: {
          type: "ImageInvert",
          names: new Map([["picture", "image"]]),
          values: [],
          outputs: new Map(),
        },
      },
    });
    await calls.call(applyWorkflow, {
      workflow: '1 EmptyImage\n2 OldInvert picture<1\n3 S1\nsubgraph S1 "Inner"\n1 OldInvert\nend',
      allowMissing: true,
    });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      summary: "Replaced 2 OldInvert with ImageInvert, 3:1 OldInvert with ImageInvert.",
    });
    expect(calls.asked.map(({ title }) => title).slice(-1)).toEqual([
      "This workflow lacks 1 node type that ComfyUI replaces. Do what is chosen here?",
    ]);
    expect(cardOf(calls)).toContain("A yes replaces the nodes of 1 type.");
    expect(cardOf(calls)).toContain("Replace it with ImageInvert");
    expect(calls.lines()).toContain("2 ImageInvert image<1 >IMAGE");
    expect(server.requests.map(({ at }) => at)).toEqual([MISSING]);
  });

  it("sets nothing in another workflow that was opened while a file came", async () => {
    const { calls, server } = withServer({
      [MISSING]: lacking({ models: [model({ name: "old.safetensors" })] }),
      [OFFER]: offerReply({ file: "b.safetensors" }),
      [BEGIN]: downloadReply("running"),
    });
    const { ask } = server;
    let open = "one";
    calls.comfy.workflow = () => ({ key: open, name: open, isModified: false });
    calls.ask = async (method, route, body) => {
      if (route.endsWith("/d1")) {
        open = "two";
        return downloadReply("done");
      }
      return ask(method, route, body);
    };
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      data: {
        fetched: ["checkpoints/b.safetensors"],
        set: [],
        failed: [expect.stringContaining("Another workflow")],
      },
    });
  });
});
