import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { findMissing } from "../findMissing";
import {
  BEGIN,
  cardOf,
  LOOK_UP,
  lacking,
  MISSING,
  managerReplies,
  model,
  OFFER,
  pack,
  withServer,
} from "../testing/missingCalls";
import { bad, downloadReply, offerReply } from "../testing/standInServer";

describe("fetching what is missing", () => {
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

  it("tells how much more is missing than a report holds", async () => {
    const { calls } = withServer({
      [MISSING]: lacking({ models: [model()], more: { models: 3 } }),
      [OFFER]: offerReply({ file: "b.safetensors" }),
    });
    calls.answer = ({ title }) => LOOK_UP.test(title);
    const beyond = "Beyond these it lacks 3 models, to be looked for again once these are here.";
    expect(await calls.call(findMissing)).toMatchObject({ error: expect.stringContaining(beyond) });
    expect(calls.asked[1]).toMatchObject({ title: expect.stringContaining("This workflow lacks 4 models.") });
    expect(cardOf(calls)).toContain(beyond);
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

    expect(whole.calls.done).toEqual([
      expect.stringMatching(/^downloaded b\.safetensors into /),
      expect.stringMatching(/^downloaded c\.safetensors into /),
    ]);

    const stopped = world(["running", "stopped"]);
    const stop = new AbortController();
    const result = stopped.calls.call(findMissing, {}, stop.signal);
    setTimeout(() => stop.abort(), 50);
    await result;
    expect(stopped.calls.done).toEqual([]);
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
      ok: true,
      summary: expect.stringMatching(
        /^It is host_not_listed\. Missing: c [^;]*; d [^;]*\. For the user to do: /,
      ),
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
    const { summary } = (await calls.call(findMissing)) as { summary: string };
    expect(summary).toMatch(
      /^It is host_unreachable.* Missing: c .*; d .*; e [^;]*\. For the user to do: c: /,
    );
    expect(summary.match(/It is host_unreachable/g)).toHaveLength(1);
    expect(server.requests.filter(({ at }) => at === OFFER)).toHaveLength(1);
  });

  it("says once that there is no connection, whichever hosts were asked", async () => {
    const models = ["a.example", "b.example", "c.example"].map((host) =>
      model({ name: `${host}.ckpt`, file: `${host}.ckpt`, url: `https://${host}/x` }),
    );
    const alone = withServer({ [MISSING]: lacking({ models }), [OFFER]: bad("host_unreachable", 502) });
    expect(((await alone.calls.call(findMissing)) as { summary: string }).summary).toMatch(
      /^There is no connection to a\.example, b\.example, c\.example\. Check it and try again\. Missing: (?!.*(?:connection|unreachable))/,
    );
    const beside = withServer({
      [MISSING]: lacking({ models: [...models, model({ url: "", instead: ["here.safetensors"] })] }),
      [OFFER]: bad("host_unreachable", 502),
    });
    const { data } = (await beside.calls.call(findMissing)) as { data: { unavailable: string[] } };
    expect(data.unavailable.map((each) => /\((.*)\)$/.exec(each)?.[1])).toEqual([
      "There is no connection to a.example, b.example, c.example. Check it and try again.",
      "likewise",
      "likewise",
    ]);
  });

  it("shows where a file is and where it belongs without a connection, to copy", async () => {
    const { calls } = withServer({
      [MISSING]: lacking({ models: [model()] }),
      [OFFER]: bad("host_unreachable", 502),
    });
    const result = await calls.call(findMissing);
    const byHand = [{ file: "b.safetensors", folder: "models/checkpoints", url: "https://huggingface.co/b" }];
    expect(result).toMatchObject({
      ok: true,
      summary: expect.stringContaining(
        "For the user to do: b.safetensors: Get it by hand from https://huggingface.co/b into models/checkpoints.",
      ),
      told: ["byHand"],
      data: { byHand },
    });
    const shown = renderToStaticMarkup(findMissing.render?.({ args: {}, result: result as never }));
    expect(shown).toContain("<code>https://huggingface.co/b</code>");
    expect(shown).toContain('aria-label="Copy the folder of b.safetensors"');
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
      summary:
        "Fetched checkpoints/c.safetensors. Not to be had from here: b.safetensors: Get it by hand from https://huggingface.co/b into models/checkpoints (It is not_found.).",
      data: {
        left: [],
        unavailable: [
          "b.safetensors: Get it by hand from https://huggingface.co/b into models/checkpoints (It is not_found.)",
        ],
      },
    });
    expect(cardOf(calls)).toContain("It is not_found.");
    expect(cardOf(calls)).toContain('aria-label="Copy the address of b.safetensors"');
  });
});
