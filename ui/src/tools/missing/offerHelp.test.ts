import { beforeEach, expect, it } from "vitest";
import { findMissing } from "../findMissing";
import { bad, good, standInServer } from "../testing/standInServer";
import { testCalls } from "../testing/testCall";
import { offerHelp } from "./offerHelp";

const MISSING = "POST /assistant/missing";
const OFFER = "POST /assistant/models/offers";
const report = (...files: string[]) =>
  good({
    packages: [],
    models: files.map((file) => ({
      ...{ name: file, file, folder: "vae", url: `https://huggingface.co/${file}` },
      ...{ sha256: "", nodes: [], types: [], instead: [], variants: [] },
    })),
    memory: null,
    tooLarge: [],
  });

let kept: Map<string, string>;
let closed: number;
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
};

beforeEach(() => {
  kept = new Map();
  closed = 0;
});

function world(...files: string[]) {
  const server = standInServer({ [MISSING]: report(...files), [OFFER]: bad("not_found", 404) });
  const calls = testCalls();
  calls.ask = server.ask;
  const offer = () =>
    offerHelp(server.ask, calls.comfy, storage, () => {
      closed += 1;
    });
  return { server, calls, offer };
}

it("says what is missing and who would be asked, and asks nobody", async () => {
  const { offer, server } = world("a", "b");
  expect(await offer()).toMatchObject({
    says: "This workflow lacks 2 models.",
    invites: "Get all",
    whom: "huggingface.co is asked for the size and licence of a, b.",
  });
  expect(server.requests.map(({ at }) => at)).toEqual([MISSING]);
  expect(await world().offer()).toBeUndefined();
});

it("is the yes to what it names: the tool does not ask for that again", async () => {
  const { offer, calls, server } = world("a");
  expect((await offer())?.take()).toContain("findMissing");
  await calls.call(findMissing);
  expect(calls.asked).toEqual([]);
  expect(server.requests.map(({ at }) => at)).toContain(OFFER);
});

it("is one yes however much it names, and no yes to what it did not name", async () => {
  const { offer, calls, server } = world("a", "b", "c", "d", "e", "f");
  const offered = await offer();
  expect(offered?.whom).toBe("huggingface.co is asked for the size and licence of a, b, c, d, e, f.");
  offered?.take();
  await calls.call(findMissing);
  expect(calls.asked).toEqual([]);
  server.replies[MISSING] = report("a", "g");
  await calls.call(findMissing);
  expect(calls.asked[0]?.title).toBe("Look up 2 model files for this workflow?");
});

it("is not made again once it was dismissed", async () => {
  (await world("a").offer())?.dismiss();
  expect(await world("a").offer()).toBeUndefined();
  expect(await world("a", "b").offer()).toBeDefined();
  expect(closed).toBe(1);
  kept.set([...kept.keys()][0] ?? "", "{");
  expect(await world("a").offer()).toBeDefined();
});

it("goes when the workflow lacks it no more", async () => {
  const { offer, server } = world("a");
  const offered = await offer();
  await offered?.lookAgain();
  expect(closed).toBe(0);
  server.replies[MISSING] = report();
  await offered?.lookAgain();
  expect(closed).toBe(1);
});

it("stands again after a try that brought nothing, and that asks the server anew", async () => {
  const { offer, calls, server } = world("a");
  server.replies[OFFER] = bad("disk_full", 507);
  const offered = await offer();
  for (const tries of [1, 2]) {
    offered?.take();
    await calls.call(findMissing);
    await offered?.lookAgain();
    expect(closed).toBe(0);
    expect(server.requests.filter(({ at }) => at === OFFER)).toHaveLength(tries);
  }
  expect(await offer()).toBeDefined();
});

const large = (name: string, size: number) => ({ name, file: name, folder: "vae", size, variants: [] });

it("is of smaller models where one is larger than the device's memory, once for the same ones", async () => {
  const { offer, server } = world();
  const tooLarge = [large("b.safetensors", 12.6e9), large("a.safetensors", 24e9)];
  server.replies[MISSING] = good({ packages: [], models: [], memory: 12e9, tooLarge });
  const offered = await offer();
  expect(offered).toMatchObject({
    says: "a.safetensors (24.0 GB) and 1 other file are larger than this device's memory of 12.0 GB: a run is slow or fails.",
    invites: "See what is smaller",
    whom: "",
  });
  expect(offered?.take()).toContain("findMissing");
  expect(await offer()).toBeUndefined();
  server.replies[MISSING] = good({ packages: [], models: [], memory: 12e9, tooLarge: tooLarge.slice(1) });
  expect(await offer()).toMatchObject({ says: expect.stringContaining("a.safetensors (24.0 GB) is larger") });
});
