import { describe, expect, it } from "vitest";
import { findMissing } from "../findMissing";
import {
  cardOf,
  LOOK_UP,
  lacking,
  MISSING,
  managerReplies,
  model,
  OFFER,
  pack,
  REGISTRY,
  registeredPack,
  withServer,
} from "../testing/missingCalls";
import { bad, good, offerReply } from "../testing/standInServer";

describe("installing what is missing", () => {
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
      ok: true,
      summary: expect.stringMatching(
        /kjnodes \(installed in 1\.0\.1, the workflow was made with 1\.2\.0; brings ImageResizeKJ\).*kjnodes: Update it in ComfyUI-Manager\.$/,
      ),
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
        summary:
          "Fetched vae/a. Installed kjnodes 1.2.0; ComfyUI has restarted. The user left: b. Nothing is missing now.",
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

  it("asks the registry for so many names at once as the server takes, and for none that is too long", async () => {
    const types = ["Y".repeat(300), ...Array.from({ length: 300 }, (_, index) => `Type ${index}`)];
    const { calls, server } = withServer({
      [MISSING]: lacking({ packages: [pack(), pack({ id: "", types })] }),
      [REGISTRY]: [
        good({ ids: { kjnodes: registeredPack }, types: {} }),
        good({ ids: {}, types: { "Type 299": [registeredPack] } }),
      ],
      "GET /manager/version": good("V3.37"),
    });
    calls.answer = ({ title }) => LOOK_UP.test(title);
    await calls.call(findMissing);
    const asked = server.requests.filter(({ at }) => at === REGISTRY).map(({ body }) => body);
    expect(asked).toEqual([
      { ids: ["kjnodes"], types: types.slice(1, 200) },
      { ids: [], types: types.slice(200) },
    ]);
    expect(cardOf(calls)).toContain("brings ImageResizeKJ, Type 299");
    expect(cardOf(calls)).toContain(`bring ${"Y".repeat(80)}… (220 more characters), Type 0,`);
    expect(cardOf(calls)).toContain("Ask the workflow's author");
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
