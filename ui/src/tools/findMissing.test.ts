import { isValidElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { findMissing } from "./findMissing";
import type { MissingCard } from "./missing/MissingCard";
import { bad, downloadReply, good, offerReply, standInServer } from "./testing/standInServer";
import { type TestCalls, testCalls } from "./testing/testCall";

const model = (more: object = {}) => ({
  ...{ name: "b.safetensors", file: "b.safetensors", folder: "checkpoints", url: "https://huggingface.co/b" },
  ...{
    sha256: "",
    nodes: ["1 CheckpointLoaderSimple"],
    types: ["CheckpointLoaderSimple"],
    instead: [],
    variants: [],
    ...more,
  },
});
const pack = (more: object = {}) => ({
  ...{ id: "kjnodes", version: "1.0", types: ["ImageResizeKJ"], isCore: false, isInstalled: false, ...more },
});
const large = { name: "b.safetensors", file: "b.safetensors", folder: "vae", size: 24e9, variants: [] };
const registeredPack = {
  ...{ id: "kjnodes", name: "KJNodes", author: "", publisher: "kijai", repository: "https://github.com/k/k" },
  ...{ version: "1.2.0", updated: "2026-01-02", downloads: 1000 },
};

/** A registry that knows the package, and a ComfyUI-Manager that says what is installed when it has done so. */
const managerReplies = (installed: object) => ({
  [REGISTRY]: good({ ids: { kjnodes: registeredPack }, types: {} }),
  "GET /manager/version": good("V3.37"),
  "POST /manager/queue/install": good(""),
  "POST /manager/queue/start": good(""),
  "GET /manager/queue/status": good({ is_processing: false }),
  "GET /customnode/installed": good(installed),
});
const LOOK_UP = /^Look up/;
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

/** What the newest question shows beside its words. */
const cardOf = ({ asked }: TestCalls) =>
  renderToStaticMarkup(asked.findLast(({ body }) => body)?.body).replaceAll("&#x27;", "'");

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

  it("asks nobody without a yes that names whom, and tells the model what is missing", async () => {
    const models = [model(), model({ name: "c", file: "c", url: "https://civitai.com/c" })];
    const { server, calls } = withServer({ [MISSING]: lacking({ models, packages: [pack()] }) });
    calls.isAllowed = false;
    expect(await calls.call(findMissing)).toMatchObject({
      ok: false,
      code: "declined",
      error:
        "The user declined: looking it up. Missing: kjnodes (brings ImageResizeKJ); b.safetensors (checkpoints, for 1 CheckpointLoaderSimple); c (checkpoints, for 1 CheckpointLoaderSimple)",
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

  it("fetches only after a second yes, to file, size, host, folder and licence, and asks no more", async () => {
    const replies = {
      [MISSING]: lacking({ models: [model()], memory: 1e9 }),
      [OFFER]: offerReply({ file: "b.safetensors" }),
      [BEGIN]: downloadReply("done"),
    };
    const denied = withServer({ ...replies });
    denied.calls.answer = ({ title }) => LOOK_UP.test(title);
    expect(await denied.calls.call(findMissing)).toMatchObject({
      code: "declined",
      error: expect.stringContaining("fetching and installing. Missing: b.safetensors"),
    });
    expect(denied.calls.asked[1]).toMatchObject({
      title: "This workflow lacks 1 model. Do what is chosen here?",
      always: true,
    });
    expect(cardOf(denied.calls)).toContain(
      "b.safetensors: 2.0 GB from huggingface.co into checkpoints, licence mit; larger than this device's memory of 1.0 GB",
    );
    expect(cardOf(denied.calls)).toContain("A yes fetches 1 file (2.0 GB from huggingface.co).");
    expect(denied.server.requests.map(({ at }) => at)).toEqual([MISSING, OFFER]);

    const allowed = withServer({ ...replies });
    expect(await allowed.calls.call(findMissing)).toMatchObject({
      ok: true,
      summary: "Fetched checkpoints/b.safetensors.",
    });
    expect(allowed.calls.asked).toHaveLength(2);
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

  it("says of a package that is older than the workflow was made with that it is to be updated", async () => {
    const outdated = [{ id: "kjnodes", installed: "1.0.1", named: "1.2.0" }];
    const note =
      "kjnodes 1.0.1 is installed, and the workflow was made with 1.2.0: where its nodes do not do as meant, the user updates it in ComfyUI-Manager.";
    const { calls } = withServer({ [MISSING]: lacking({ outdated }) });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      summary: `Nothing is missing. ${note}`,
      data: { outdated },
    });

    const lacks = withServer({ [MISSING]: lacking({ packages: [pack({ isInstalled: true })], outdated }) });
    expect(await lacks.calls.call(findMissing)).toMatchObject({
      ok: false,
      error: expect.stringContaining(
        "kjnodes (installed in 1.0.1, the workflow was made with 1.2.0; brings ImageResizeKJ)",
      ),
      hint: "kjnodes: Update it in ComfyUI-Manager",
    });

    const beside = withServer({
      [MISSING]: lacking({ models: [model()], outdated }),
      [OFFER]: offerReply({ file: "b.safetensors" }),
    });
    beside.calls.answer = ({ title }) => LOOK_UP.test(title);
    await beside.calls.call(findMissing);
    expect(cardOf(beside.calls)).toContain("installed in 1.0.1, the workflow was made with 1.2.0");
    expect(cardOf(beside.calls)).toContain("Update it in ComfyUI-Manager");
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

  it("asks once more for a pickle", async () => {
    const { server, calls } = withServer({
      [MISSING]: lacking({ models: [model({ file: "b.ckpt" })] }),
      [OFFER]: offerReply({ file: "b.ckpt", isPickle: true }),
    });
    calls.answer = ({ title }) => !title.includes("is a pickle");
    expect(await calls.call(findMissing)).toMatchObject({ ok: true, summary: "The user left: b.ckpt." });
    expect(calls.asked).toHaveLength(3);
    expect(server.requests.map(({ at }) => at)).not.toContain(BEGIN);
  });

  it("begins all that was said yes to at once, waits for one after the other, and stops all", async () => {
    const [first, second] = ["d1", "d2"].map((id) => `/assistant/models/downloads/${id}`);
    const models = ["b.safetensors", "c.safetensors"].map((file) =>
      model({ name: file, file, url: `https://huggingface.co/${file}` }),
    );
    const world = (states: string[]) =>
      withServer({
        [MISSING]: lacking({ models }),
        [OFFER]: models.map(({ file }, index) => offerReply({ id: `o${index}`, file })),
        [BEGIN]: [downloadReply("waiting"), downloadReply("waiting", { id: "d2" })],
        [`GET ${first}`]: states.map((state) => downloadReply(state)),
        [`GET ${second}`]: states.map((state) => downloadReply(state, { id: "d2" })),
      });
    const whole = world(["running", "done"]);
    expect(await whole.calls.call(findMissing)).toMatchObject({
      data: { fetched: ["checkpoints/b.safetensors", "checkpoints/c.safetensors"], failed: [] },
    });
    expect(whole.server.requests.map(({ at }) => at).slice(3)).toEqual([
      BEGIN,
      BEGIN,
      ...[first, first, second, second].map((route) => `GET ${route}`),
    ]);
    expect(whole.calls.progress.map(({ text }) => text).slice(2)).toEqual([
      "1 of 2, b.safetensors: 1.0 GB of 2.0 GB",
      "2 of 2, c.safetensors: 1.0 GB of 2.0 GB",
    ]);

    const stopped = world(["running", "stopped"]);
    const stop = new AbortController();
    const result = stopped.calls.call(findMissing, {}, stop.signal);
    setTimeout(() => stop.abort(), 50);
    await result;
    await vi.waitFor(() =>
      expect(stopped.server.requests.map(({ at }) => at).filter((at) => at.startsWith("DELETE "))).toEqual([
        `DELETE ${second}`,
        `DELETE ${first}`,
      ]),
    );
  });

  it("goes on in a page that was loaded anew with what was said yes to, and asks nothing", async () => {
    const notes: unknown[] = [];
    const [first, second] = ["d1", "d2"].map((id) => `GET /assistant/models/downloads/${id}`);
    const replies = {
      [MISSING]: lacking({
        models: ["b.safetensors", "c.safetensors"].map((file) =>
          model({ name: file, file, url: `https://huggingface.co/${file}` }),
        ),
        packages: [pack()],
      }),
      ...managerReplies({ kjnodes: { ver: "1.2.0" } }),
      "POST /manager/reboot": bad("forbidden", 403),
      [OFFER]: ["b.safetensors", "c.safetensors"].map((file, index) => offerReply({ id: `o${index}`, file })),
      [BEGIN]: [downloadReply("waiting"), downloadReply("waiting", { id: "d2" })],
      [`${first}`]: downloadReply("done"),
      [`${second}`]: [downloadReply("running"), downloadReply("done")],
    };
    const gone = withServer(replies);
    gone.calls.outlive = (note) => notes.push(structuredClone(note));
    await gone.calls.call(findMissing);
    expect(notes.at(-1)).toBeUndefined();

    const { calls, server } = withServer({ ...replies, [`${second}`]: downloadReply("done") });
    // The page went when the first file had come.
    calls.outlived = notes[1];
    expect(await calls.call(findMissing)).toMatchObject({
      data: {
        fetched: ["checkpoints/b.safetensors", "checkpoints/c.safetensors"],
        installed: ["kjnodes 1.2.0"],
      },
    });
    expect(calls.asked).toEqual([]);
    const asked = server.requests.map(({ at }) => at);
    expect(asked).not.toContain(BEGIN);
    expect(asked).not.toContain(first);
    expect(asked.filter((at) => at === "POST /manager/queue/install")).toHaveLength(1);
  });

  it("fetches a file once that stands in two places, and asks once whether to trust its host", async () => {
    const models = ["a/b.safetensors", "b.safetensors"].map((name) => model({ name }));
    const twice = withServer({
      [MISSING]: lacking({ models }),
      [OFFER]: offerReply({ file: "b.safetensors" }),
      [BEGIN]: downloadReply("done"),
    });
    expect(await twice.calls.call(findMissing)).toMatchObject({
      data: { fetched: ["checkpoints/b.safetensors"] },
    });
    expect(twice.server.requests.filter(({ at }) => at === BEGIN)).toHaveLength(1);

    const strange = withServer({
      [MISSING]: lacking({
        models: ["c", "d"].map((file) => model({ file, url: `https://models.example/${file}` })),
      }),
      [OFFER]: bad("host_not_listed", 403),
    });
    strange.calls.answer = ({ title }) => LOOK_UP.test(title);
    expect(await strange.calls.call(findMissing)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^It is host_not_listed\. Missing: c .*; d .*\.$/),
    });
    expect(strange.calls.asked.map(({ title }) => title)).toEqual([
      "Look up 2 model files for this workflow?",
      "Trust models.example as a source of model files?",
    ]);
  });

  it("does not wait for each file of a host that does not answer", async () => {
    const { server, calls } = withServer({
      [MISSING]: lacking({
        models: ["c", "d", "e"].map((file) => model({ file, url: `https://huggingface.co/${file}` })),
      }),
      [OFFER]: bad("host_unreachable", 502),
    });
    const { error } = (await calls.call(findMissing)) as { error: string };
    expect(error).toMatch(/^It is host_unreachable.* Missing: c .*; d .*; e [^;]*\.$/);
    expect(error.match(/It is host_unreachable/g)).toHaveLength(1);
    expect(server.requests.filter(({ at }) => at === OFFER)).toHaveLength(1);
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

  it("installs through ComfyUI-Manager after a yes that names package, publisher, version and repository", async () => {
    const { server, calls } = withServer({
      [MISSING]: lacking({ packages: [pack()] }),
      ...managerReplies({ KJNodes: {} }),
      "POST /manager/reboot": bad("forbidden", 403),
    });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      data: { installed: ["kjnodes 1.2.0"], failed: [expect.stringContaining("does not restart ComfyUI")] },
    });
    expect(calls.asked).toHaveLength(2);
    expect(cardOf(calls)).toContain("KJNodes 1.2.0");
    expect(cardOf(calls)).toContain(
      "kjnodes by kijai, 1,000 downloads, updated 2026-01-02, https://github.com/k/k; brings ImageResizeKJ",
    );
    expect(cardOf(calls)).toContain(
      "A yes installs KJNodes, whose code then runs here. Then ComfyUI restarts: runs that wait are lost",
    );
    expect(server.requests.find(({ at }) => at === "POST /manager/queue/install")?.body).toMatchObject({
      id: "kjnodes",
      selected_version: "1.2.0",
    });
  });

  it("does not restart ComfyUI into another version of a package than the yes was to", async () => {
    const { server, calls } = withServer({
      [MISSING]: lacking({ packages: [pack()] }),
      ...managerReplies({ "comfyui-kj": { ver: "1.3.0", cnr_id: "kjnodes", enabled: true } }),
    });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: false,
      error: expect.stringContaining(
        "ComfyUI-Manager installed kjnodes 1.3.0 and not 1.2.0, which is not what the user said yes to. ComfyUI was not restarted",
      ),
    });
    expect(server.requests.map(({ at }) => at)).not.toContain("POST /manager/reboot");
  });

  it("tells after the restart what was done, and asks no more about what the person left", async () => {
    const done = { fetched: ["vae/a"], replaced: [], installed: ["kjnodes 1.2.0"], failed: [], left: ["b"] };
    const again = async (models: object[], lack = ["b.safetensors", "ImageResizeKJ"]) => {
      const { calls } = withServer({ [MISSING]: lacking({ models }) });
      calls.outlived = { done, lack };
      calls.isAllowed = false;
      return { result: await calls.call(findMissing), asked: calls.asked.length };
    };
    expect(await again([])).toMatchObject({
      result: {
        ok: true,
        summary: "Fetched vae/a. Installed kjnodes 1.2.0. The user left: b.",
        data: { installed: ["kjnodes 1.2.0"] },
      },
      asked: 0,
    });
    expect((await again([model()])).result).toMatchObject({
      summary: expect.stringContaining("Still missing: b.safetensors (checkpoints, for 1"),
    });
    expect(await again([model({ name: "new" })])).toMatchObject({ result: { code: "declined" }, asked: 1 });
  });

  it("offers all packages that bring a type, and takes one for meant only where it is by far the best known", async () => {
    const packages = [pack({ id: "", types: ["Fade", "Blend"] })];
    const cardWith = async (downloads: number) => {
      const other = { ...registeredPack, id: "other", name: "Other", downloads };
      const { calls, server } = withServer({
        [MISSING]: lacking({ packages }),
        [REGISTRY]: good({
          ids: {},
          types: { Fade: [registeredPack, other], Blend: [registeredPack, other] },
        }),
        "GET /manager/version": good("V3.37"),
      });
      calls.answer = ({ title }) => LOOK_UP.test(title);
      await calls.call(findMissing);
      expect(server.requests.find(({ at }) => at === REGISTRY)?.body).toEqual({
        ids: [],
        types: ["Fade", "Blend"],
      });
      return cardOf(calls);
    };
    const options = (card: string) => [...card.matchAll(/<option[^>]*>([^<]*)/g)].map(([, label]) => label);
    const doubtful = await cardWith(900);
    expect(options(doubtful)).toEqual(["Leave it", "Install kjnodes", "Install other"]);
    expect(doubtful).toContain("2 packages have types of this name: KJNodes 1.2.0 by kijai, 1,000 downloads");
    expect(doubtful).toContain("A yes changes nothing.");
    const clear = await cardWith(9);
    expect(options(clear)).toEqual(["Install kjnodes", "Install other", "Leave it"]);
    expect(clear).toContain("The one with by far most downloads is chosen");
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
      [MISSING]: lacking({
        models: [
          model(),
          model({ name: "c.safetensors", file: "c.safetensors", url: "https://huggingface.co/c" }),
        ],
      }),
      [OFFER]: [bad("not_found", 404), offerReply({ file: "c.safetensors" })],
      [BEGIN]: downloadReply("done"),
    });
    expect(await calls.call(findMissing)).toMatchObject({
      ok: true,
      summary: "Fetched checkpoints/c.safetensors. The user left: b.safetensors.",
    });
    expect(cardOf(calls)).toContain("It is not_found.");
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

  it("installs through the newer ComfyUI-Manager with the older one's interface too", async () => {
    const replies = (failed: string[]) => ({
      [MISSING]: lacking({ packages: [pack()] }),
      [REGISTRY]: good({ ids: { kjnodes: registeredPack }, types: {} }),
      "GET /v2/manager/version": good("V4.0"),
      "POST /v2/manager/queue/batch": good({ failed }),
      "GET /v2/manager/queue/status": good({ is_processing: false }),
      "GET /v2/customnode/installed": good({ kjnodes: {} }),
      "POST /v2/manager/reboot": bad("forbidden", 403),
    });
    const { calls, server } = withServer(replies([]));
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
