import { describe, expect, it } from "vitest";
import type { WholeProvider } from "../api/providers";
import {
  answeringModel,
  changesOf,
  fieldsOf,
  keyNote,
  keyPlaceholder,
  lockNote,
  NOTHING,
  originOf,
  profileNote,
} from "./providerForm";

const saved: WholeProvider = {
  id: "p1",
  name: "qwen3:8b",
  baseUrl: { value: "http://127.0.0.1:11434/v1", source: "settings" },
  model: { value: "qwen3:8b", source: "environment" },
  apiKey: { set: true, last4: "x7Qa", locked: false, sharedWith: [] },
  entered: { window: 9000, vision: false, price: { input: 2, cached: 0.5, output: 8 } },
  isDefault: true,
  version: "v1",
};

describe("changesOf", () => {
  it("is empty for a form that was not touched, and never removes a saved key", () => {
    expect(changesOf(fieldsOf(saved), saved)).toEqual({});
    expect(changesOf(NOTHING, undefined)).toEqual({});
  });

  it("holds what was typed, without the spaces around it", () => {
    const fields = { ...fieldsOf(saved), baseUrl: " http://localhost:1234/v1 ", apiKey: " sk-1 " };
    expect(changesOf(fields, saved)).toEqual({ baseUrl: "http://localhost:1234/v1", apiKey: "sk-1" });
  });

  it("leaves out a field that the environment sets", () => {
    expect(changesOf({ ...fieldsOf(saved), model: "other" }, saved)).toEqual({});
  });

  it("takes away what was cleared", () => {
    const cleared = { ...fieldsOf(saved), window: "", vision: "", input: "", cached: "", output: "" };
    expect(changesOf(cleared, saved)).toEqual({ window: null, vision: null, price: null });
  });

  it("reads how the model is asked, and leaves that to the model where nothing is chosen", () => {
    const asked = { ...NOTHING, effort: "low", temperature: "0,2" };
    expect(changesOf(asked, undefined)).toEqual({ effort: "low", temperature: 0.2 });
    expect(changesOf({ ...NOTHING, rulesIn: "user" }, undefined)).toEqual({ dropsSystem: true });
    const before = { ...saved, entered: { effort: "low", temperature: 0 } };
    expect(fieldsOf(before)).toMatchObject({ effort: "low", temperature: "0" });
    const cleared = { ...fieldsOf(before), effort: "", temperature: " " };
    expect(changesOf(cleared, before)).toEqual({ effort: null, temperature: null });
  });

  it.each([
    ["32,768", 32_768],
    ["128k", 128_000],
    ["16 384", 16_384],
    ["many", "many"],
  ])("reads a window of %s", (window, number) => {
    expect(changesOf({ ...NOTHING, window }, undefined)).toEqual({ window: number });
  });

  it("takes the whole input for as dear as what is not cached, where nothing else is typed", () => {
    expect(changesOf({ ...NOTHING, input: "0,5", output: "2" }, undefined)).toEqual({
      price: { input: 0.5, cached: 0.5, output: 2 },
    });
  });
});

it("chooses the only model of an endpoint, and none of several", () => {
  expect(answeringModel({ model: "", models: ["qwen3:8b"] })).toBe("qwen3:8b");
  expect(answeringModel({ model: "", models: ["qwen3:8b", "gemma3:4b"] })).toBe("");
  expect(answeringModel({ model: "gemma3:4b", models: ["qwen3:8b", "gemma3:4b"] })).toBe("gemma3:4b");
  expect(answeringModel({ model: "", models: [] })).toBe("");
});

it("says who set a locked field, and where a value comes from", () => {
  expect(["settings", "environment", "file"].map(lockNote)).toEqual([
    undefined,
    "set by environment",
    "set by the .env file",
  ]);
  expect(["you", "learned", undefined].map(originOf)).toEqual(["entered by you", "learned", "not known"]);
});

it("says whom else a change of the key concerns", () => {
  const shared = { ...saved.apiKey, sharedWith: ["Large", "Quick"] };
  expect(keyNote({ ...saved, apiKey: shared })).toBe("the same for Large, Quick");
  expect(keyNote({ ...saved, apiKey: { ...shared, locked: true } })).toBe("set by environment");
  expect(keyNote(saved) || undefined).toBeUndefined();
});

it("shows only the end of a saved key", () => {
  expect(keyPlaceholder(saved)).toBe("saved, ends in x7Qa");
  expect(keyPlaceholder(undefined)).toContain("none");
  expect(keyPlaceholder(undefined, { local: true })).toContain("none");
  expect(keyPlaceholder(undefined, { local: false })).toBe("from your account there");
});

it.each([
  ["slim", "unknown", "short"],
  ["full", "unknown", "full"],
  ["full", "you", "entered by you"],
])("says of the form %s, decided by %s, that it is %s", (value, source, note) => {
  const nothing = { value: null, source: "unknown" };
  const facts = { window: nothing, vision: nothing, price: nothing, profile: { value, source } };
  expect(profileNote(facts)).toBe(note);
});

it("says nothing of the form before there is a model", () => {
  expect(profileNote(undefined)).toBeUndefined();
});
