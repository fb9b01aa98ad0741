import { describe, expect, it } from "vitest";
import type { ProviderSettings } from "../api/replies";
import { answeringModel, changesOf, fieldsOf, keyPlaceholder, lockNote } from "./providerForm";

const saved: ProviderSettings = {
  baseUrl: { value: "http://127.0.0.1:11434/v1", source: "settings", locked: false },
  model: { value: "qwen3:8b", source: "environment", locked: true },
  apiKey: { set: true, last4: "x7Qa", source: "settings", locked: false },
  shared: false,
};

describe("changesOf", () => {
  it("is empty for a form that was not touched, and never removes a saved key", () => {
    expect(changesOf(fieldsOf(saved), saved)).toEqual({});
  });

  it("holds what was typed, without the spaces around it", () => {
    const fields = { baseUrl: " http://localhost:1234/v1 ", model: "qwen3:8b", apiKey: " sk-1 " };
    expect(changesOf(fields, saved)).toEqual({ baseUrl: "http://localhost:1234/v1", apiKey: "sk-1" });
  });

  it("leaves out a field that the environment sets", () => {
    expect(changesOf({ ...fieldsOf(saved), model: "other" }, saved)).toEqual({});
  });

  it("removes an address that was cleared", () => {
    expect(changesOf({ ...fieldsOf(saved), baseUrl: "" }, saved)).toEqual({ baseUrl: "" });
  });
});

it("chooses the only model of an endpoint, and none of several", () => {
  expect(answeringModel({ model: "", models: ["qwen3:8b"] })).toBe("qwen3:8b");
  expect(answeringModel({ model: "", models: ["qwen3:8b", "gemma3:4b"] })).toBe("");
  expect(answeringModel({ model: "gemma3:4b", models: ["qwen3:8b", "gemma3:4b"] })).toBe("gemma3:4b");
  expect(answeringModel({ model: "", models: [] })).toBe("");
});

it("says who set a locked field", () => {
  expect([
    lockNote(saved.baseUrl),
    lockNote(saved.model),
    lockNote({ locked: true, source: "file" }),
  ]).toEqual([undefined, "set by environment", "set by the .env file"]);
});

it("shows only the end of a saved key", () => {
  expect(keyPlaceholder(saved)).toBe("saved, ends in x7Qa");
});
