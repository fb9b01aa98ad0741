import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFakeComfy } from "../comfy/fake";
import { good, standInServer } from "../tools/testing/standInServer";
import { watchLacks } from "./watchLacks";

const MISSING = "POST /assistant/missing";
const model = {
  ...{ name: "a", file: "a", folder: "vae", url: "https://huggingface.co/a" },
  ...{ sha256: "", nodes: [], types: [], instead: [], variants: [] },
};
const report = (...models: object[]) => good({ packages: [], models, memory: null, tooLarge: [] });
const storage = { getItem: () => null, setItem: () => {} };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function pass(seconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(seconds * 1000);
  await vi.dynamicImportSettled();
}

it("offers help with a workflow that has been open for a moment, and only while that is open", async () => {
  const comfy = createFakeComfy();
  const server = standInServer({ [MISSING]: report(model) });
  const lacks = watchLacks(comfy, server.ask, storage);
  await pass(1);
  expect(server.requests).toEqual([]);
  await pass(1);
  expect(lacks.get()).toBeDefined();
  comfy.openWorkflow({ key: "other", name: "other", isModified: false });
  await pass(1);
  expect(lacks.get()).toBeUndefined();
});

it("looks once at a workflow that lacks nothing, and stays quiet where it cannot look", async () => {
  const comfy = createFakeComfy();
  const server = standInServer({ [MISSING]: report() });
  const lacks = watchLacks(comfy, server.ask, storage);
  await pass(5);
  expect([server.requests.length, lacks.get()]).toEqual([1, undefined]);
  server.replies = {};
  comfy.openWorkflow({ key: "other", name: "other", isModified: false });
  await pass(5);
  expect([server.requests.length, lacks.get()]).toEqual([2, undefined]);
});

it("offers help with a workflow whose model is larger than the device's memory", async () => {
  const comfy = createFakeComfy();
  const tooLarge = [{ name: "a", file: "a", folder: "vae", size: 24e9, variants: [] }];
  const server = standInServer({ [MISSING]: good({ packages: [], models: [], memory: 12e9, tooLarge }) });
  const lacks = watchLacks(comfy, server.ask, storage);
  await pass(2);
  expect(lacks.get()).toBeDefined();
});
