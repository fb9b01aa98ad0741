import { describe, expect, it } from "vitest";
import { downloadModel } from "./downloadModel";
import { bad, downloadReply, good, offerReply, standInServer } from "./testing/standInServer";
import { testCalls } from "./testing/testCall";

const OFFER = "POST /assistant/models/offers";
const BEGIN = "POST /assistant/models/downloads";
const NOW = "GET /assistant/models/downloads/d1";
const args = { url: "https://huggingface.co/a", folder: "checkpoints" };

function withServer(replies: Parameters<typeof standInServer>[0]) {
  const server = standInServer(replies);
  const calls = testCalls();
  calls.ask = server.ask;
  return { server, calls };
}

describe("downloadModel", () => {
  it("names file, size, host, folder and licence before anything comes", async () => {
    const { server, calls } = withServer({ [OFFER]: offerReply() });
    calls.isAllowed = false;
    const result = await calls.call(downloadModel, args);
    expect(calls.asked).toEqual([
      {
        title: "Download a.safetensors?",
        detail: "a.safetensors: 2.0 GB from huggingface.co into checkpoints, licence mit",
        always: true,
        allow: "Download",
      },
    ]);
    expect(result).toMatchObject({ ok: false, code: "declined" });
    expect(server.requests.map(({ at }) => at)).toEqual([OFFER]);
  });

  it("fetches what was offered and tells how far it is", async () => {
    const { server, calls } = withServer({
      [OFFER]: offerReply(),
      [BEGIN]: downloadReply("running"),
      [NOW]: [downloadReply("running"), downloadReply("checking"), downloadReply("done")],
    });
    const result = await calls.call(downloadModel, args);
    expect(result).toMatchObject({
      ok: true,
      summary: "Downloaded a.safetensors (2.0 GB) into checkpoints.",
    });
    expect(server.requests[1]).toEqual({ at: BEGIN, body: { offer: "o1", allowPickle: false } });
    expect(calls.progress).toEqual([
      { text: "a.safetensors: 1.0 GB of 2.0 GB", fraction: 0.5 },
      { text: "a.safetensors: checking", fraction: 0.5 },
    ]);
  });

  it("goes on with its download in a page that was loaded anew, and stops it there", async () => {
    const outlived = { id: "d1", file: "a.safetensors", folder: "checkpoints", size: 2_000_000_000 };
    const notes: unknown[] = [];
    const { calls } = withServer({ [OFFER]: offerReply(), [BEGIN]: downloadReply("done") });
    calls.outlive = (note) => notes.push(note);
    await calls.call(downloadModel, args);
    expect(notes).toEqual([outlived, undefined]);

    const again = withServer({ [NOW]: downloadReply("done") });
    again.calls.outlived = outlived;
    expect(await again.calls.call(downloadModel, args)).toMatchObject({
      ok: true,
      summary: "Downloaded a.safetensors (2.0 GB) into checkpoints.",
    });
    expect(again.calls.asked).toEqual([]);

    const stopped = withServer({ [NOW]: [downloadReply("running"), downloadReply("stopped")] });
    stopped.calls.outlived = outlived;
    const stop = new AbortController();
    const result = stopped.calls.call(downloadModel, args, stop.signal);
    setTimeout(() => stop.abort(), 50);
    expect(await result).toMatchObject({ ok: false });
    expect(stopped.server.requests.map(({ at }) => at)).toEqual([
      NOW,
      "DELETE /assistant/models/downloads/d1",
      NOW,
    ]);
  });

  it("asks a second time for a pickle", async () => {
    const { server, calls } = withServer({ [OFFER]: offerReply({ file: "a.ckpt", isPickle: true }) });
    calls.answer = ({ title }) => !title.includes("pickle");
    expect(await calls.call(downloadModel, args)).toMatchObject({ ok: false, code: "declined" });
    expect(calls.asked.map(({ title }) => title)).toEqual([
      "Download a.ckpt?",
      "a.ckpt is a pickle. Fetch it all the same?",
    ]);
    expect(server.requests.map(({ at }) => at)).toEqual([OFFER]);
  });

  it("stops what it began", async () => {
    const { server, calls } = withServer({
      [OFFER]: offerReply(),
      [BEGIN]: downloadReply("running"),
      [NOW]: [downloadReply("running"), downloadReply("stopped")],
      "DELETE /assistant/models/downloads/d1": downloadReply("stopped"),
    });
    const stop = new AbortController();
    const result = calls.call(downloadModel, args, stop.signal);
    setTimeout(() => stop.abort(), 50);
    expect(await result).toMatchObject({
      ok: false,
      error: "a.safetensors was stopped; nothing was kept of it.",
    });
    expect(server.requests.map(({ at }) => at)).toContain("DELETE /assistant/models/downloads/d1");
  });

  it("says why a file did not come", async () => {
    const { calls } = withServer({
      [OFFER]: offerReply(),
      [BEGIN]: downloadReply("failed", { error: { message: "It is no model.", hint: "Do not use it." } }),
    });
    expect(await calls.call(downloadModel, args)).toEqual({
      ok: false,
      error: "It is no model.",
      hint: "Do not use it.",
    });
  });

  it("trusts a new host only if the person says so", async () => {
    const elsewhere = { ...args, url: "https://models.example/a.safetensors" };
    const { server, calls } = withServer({
      [OFFER]: [bad("host_not_listed", 403), offerReply({ host: "models.example" })],
      "PUT /assistant/models/hosts": good({ hosts: [] }),
    });
    calls.answer = ({ title }) => title.startsWith("Trust");
    await calls.call(downloadModel, elsewhere);
    expect(calls.asked[0]).toMatchObject({
      title: "Trust models.example as a source of model files?",
      always: true,
    });
    expect(server.requests[1]?.body).toEqual({ host: "https://models.example" });

    const plainHttp = withServer({ [OFFER]: bad("host_not_listed", 403) });
    const result = await plainHttp.calls.call(downloadModel, { ...args, url: "http://192.168.1.1/a.gguf" });
    expect(plainHttp.calls.asked).toEqual([]);
    expect(result).toMatchObject({ ok: false, error: "Nothing was downloaded. It is host_not_listed." });
  });

  it("asks for a token where the host wants one", async () => {
    const { server, calls } = withServer({ [OFFER]: bad("token_needed", 401) });
    calls.isAllowed = false;
    expect(await calls.call(downloadModel, args)).toMatchObject({
      ok: false,
      error: "Nothing was downloaded. It is token_needed.",
    });
    expect(calls.asked[0]?.title).toBe("huggingface.co hands out the file only with a token. Enter one?");
    expect(server.requests).toHaveLength(1);
  });
});
