import { describe, expect, it } from "vitest";
import { findMissing } from "./findMissing";
import { bad, downloadReply, good, offerReply, standInServer } from "./testing/standInServer";
import { testCalls } from "./testing/testCall";

const model = (more: object = {}) => ({
  ...{ name: "b.safetensors", file: "b.safetensors", folder: "checkpoints", url: "https://huggingface.co/b" },
  ...{ sha256: "", nodes: ["1 CheckpointLoaderSimple"], instead: [], variants: [], ...more },
});
const pack = (more: object = {}) => ({
  ...{ id: "kjnodes", version: "1.0", types: ["ImageResizeKJ"], isCore: false, isInstalled: false, ...more },
});
const registeredPack = {
  ...{ id: "kjnodes", name: "KJNodes", author: "", publisher: "kijai", repository: "https://github.com/k/k" },
  ...{ version: "1.2.0", updated: "2026-01-02", downloads: 1000 },
};
const lacking = (more: object = {}) =>
  good({ packages: [], models: [], memory: null, tooLarge: [], ...more });

const MISSING = "POST /assistant/missing";
const REGISTRY = "POST /assistant/missing/packages";
const OFFER = "POST /assistant/models/offers";
const BEGIN = "POST /assistant/models/downloads";

function withServer(replies: Parameters<typeof standInServer>[0], nodes: string[] = []) {
  const server = standInServer(replies);
  const calls = testCalls(nodes);
  calls.ask = server.ask;
  return { server, calls };
}

describe("findMissing", () => {
  it("says that nothing is missing, and what is too large for the device", async () => {
    const smaller = { file: "b-fp8.safetensors", folder: "vae", url: "u", sha256: "", isInstalled: true };
    const tooLarge = [{ file: "b.safetensors", folder: "vae", size: 24e9, variants: [smaller] }];
    const { calls } = withServer({ [MISSING]: lacking({ memory: 12e9, tooLarge }) });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      summary:
        "Nothing is missing. b.safetensors has 24.0 GB, the device 12.0 GB: slow or impossible; smaller variants: b-fp8.safetensors (installed).",
    });
    expect(calls.asked).toEqual([]);
  });

  it("does nothing without a yes, and tells the model what is missing", async () => {
    const { server, calls } = withServer({ [MISSING]: lacking({ models: [model()] }) });
    calls.isAllowed = false;
    expect(await calls.call(findMissing)).toMatchObject({
      ok: false,
      code: "declined",
      error:
        "The user declined: fetching and installing. Missing: b.safetensors (checkpoints from huggingface.co, for 1 CheckpointLoaderSimple)",
    });
    expect(calls.asked.map(({ title, always }) => [title, always])).toEqual([
      ["This workflow lacks 1 model. What shall be done?", true],
    ]);
    expect(server.requests.map(({ at }) => at)).toEqual([MISSING]);
  });

  it("fetches only after a second yes that names file, size, host, folder and licence", async () => {
    const replies = {
      [MISSING]: lacking({ models: [model()], memory: 1e9 }),
      [OFFER]: offerReply({ file: "b.safetensors" }),
      [BEGIN]: downloadReply("done"),
    };
    const denied = withServer({ ...replies });
    denied.calls.answer = ({ title }) => title.startsWith("This workflow");
    expect(await denied.calls.call(findMissing)).toMatchObject({
      code: "declined",
      error: "The user declined: fetching and installing. The user left: b.safetensors.",
    });
    expect(denied.calls.asked[1]).toEqual({
      title: "Fetch 1 model file?",
      detail:
        "b.safetensors: 2.0 GB from huggingface.co into checkpoints, licence mit; larger than this device's memory of 1.0 GB",
      always: true,
    });
    expect(denied.server.requests.map(({ at }) => at)).toEqual([MISSING, OFFER]);

    const allowed = withServer({ ...replies });
    expect(await allowed.calls.call(findMissing)).toMatchObject({
      ok: true,
      summary: "Fetched checkpoints/b.safetensors.",
    });
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

  it("asks the registry only with a yes, and installs nothing by itself", async () => {
    const { server, calls } = withServer({ [MISSING]: lacking({ packages: [pack()] }) });
    calls.answer = ({ title }) => !title.startsWith("Ask the public registry");
    await calls.call(findMissing);
    expect(calls.asked[0]).toMatchObject({
      title: "Ask the public registry about 1 node package that this workflow needs?",
      detail: "Only these names are sent: kjnodes.",
      always: true,
    });
    expect(server.requests.map(({ at }) => at)).not.toContain(REGISTRY);
  });

  it("installs through ComfyUI-Manager after a yes that names package, publisher, version and repository", async () => {
    const { server, calls } = withServer({
      [MISSING]: lacking({ packages: [pack()] }),
      [REGISTRY]: good({ ids: { kjnodes: registeredPack }, types: {} }),
      "GET /manager/version": good("V3.37"),
      "POST /manager/queue/install": good(""),
      "POST /manager/queue/start": good(""),
      "GET /manager/queue/status": good({ is_processing: false }),
      "GET /customnode/installed": good({ KJNodes: {} }),
    });
    calls.answer = ({ title }) => !title.startsWith("Restart");
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      summary: "Installed kjnodes 1.2.0; the user has to restart ComfyUI and reload the page.",
    });
    expect(calls.asked.map(({ title, detail }) => [title, detail]).slice(2)).toEqual([
      [
        "Install 1 package, whose code then runs here?",
        "kjnodes 1.2.0 by kijai, https://github.com/k/k, through ComfyUI-Manager",
      ],
      [
        "Restart ComfyUI and reload this page now?",
        "The new nodes are there only then. Runs that wait are lost; this chat goes on by itself.",
      ],
    ]);
    expect(server.requests.find(({ at }) => at === "POST /manager/queue/install")?.body).toMatchObject({
      id: "kjnodes",
      selected_version: "1.2.0",
    });
    expect(server.requests.map(({ at }) => at)).not.toContain("POST /manager/reboot");
  });

  it("says that the security level of ComfyUI-Manager forbids it", async () => {
    const { calls } = withServer({
      [MISSING]: lacking({ packages: [pack()] }),
      [REGISTRY]: good({ ids: { kjnodes: registeredPack }, types: {} }),
      "GET /v2/manager/version": good("V4.0"),
      "POST /v2/manager/queue/task": bad("forbidden", 403),
    });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: false,
      error: expect.stringContaining("security level does not allow installing kjnodes"),
    });
  });

  it("goes on where one of several files cannot be had", async () => {
    const { calls } = withServer({
      [MISSING]: lacking({ models: [model(), model({ name: "c.safetensors", file: "c.safetensors" })] }),
      [OFFER]: [bad("not_found", 404), offerReply({ file: "c.safetensors" })],
      [BEGIN]: downloadReply("done"),
    });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      summary: "Fetched checkpoints/c.safetensors. Failed: b.safetensors: It is not_found.",
    });
  });

  it("does not take types of the page alone for missing", async () => {
    const { calls } = withServer({
      [MISSING]: lacking({ packages: [pack({ id: "", types: ["KSampler"] })] }),
    });
    expect(await calls.call(findMissing)).toMatchObject({ summary: "Nothing is missing." });
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

  it("does not wait for a restart that ComfyUI-Manager refuses", async () => {
    const { calls } = withServer({
      [MISSING]: lacking({ packages: [pack()] }),
      [REGISTRY]: good({ ids: { kjnodes: registeredPack }, types: {} }),
      "GET /manager/version": good("V3.37"),
      "POST /manager/queue/install": good(""),
      "GET /manager/queue/status": good({ is_processing: false }),
      "GET /customnode/installed": good({ kjnodes: {} }),
      "POST /manager/reboot": bad("forbidden", 403),
    });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      data: { installed: ["kjnodes 1.2.0"], failed: [expect.stringContaining("does not restart ComfyUI")] },
    });
  });

  it("installs through the newer ComfyUI-Manager with the older one's interface too", async () => {
    const replies = (failed: string[]) => ({
      [MISSING]: lacking({ packages: [pack()] }),
      [REGISTRY]: good({ ids: { kjnodes: registeredPack }, types: {} }),
      "GET /v2/manager/version": good("V4.0"),
      "POST /v2/manager/queue/batch": good({ failed }),
      "GET /v2/manager/queue/status": good({ is_processing: false }),
      "GET /v2/customnode/installed": good({ kjnodes: {} }),
    });
    const { calls, server } = withServer(replies([]));
    calls.answer = ({ title }) => !title.startsWith("Restart");
    expect(await calls.call(findMissing)).toMatchObject({ data: { installed: ["kjnodes 1.2.0"] } });
    expect(server.requests.find(({ at }) => at.endsWith("/batch"))?.body).toMatchObject({
      install: [{ id: "kjnodes", selected_version: "1.2.0" }],
    });
    expect(await withServer(replies(["kjnodes"])).calls.call(findMissing)).toMatchObject({
      ok: false,
      error: expect.stringContaining("security level"),
    });
  });
});
