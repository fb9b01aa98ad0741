import { expect, it } from "vitest";
import { createDrafts } from "./drafts";

function memory() {
  const entries = new Map<string, string>();
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}

it("keeps one draft per thread", () => {
  const drafts = createDrafts(memory());
  drafts.write("one", "hello");
  drafts.write("two", "world");
  expect([drafts.read("one"), drafts.read("two"), drafts.read("three")]).toEqual(["hello", "world", ""]);
});

it("leaves nothing behind once the text is sent", () => {
  const storage = memory();
  const drafts = createDrafts(storage);
  drafts.write("one", "hello");
  drafts.write("one", "");
  expect(storage.entries.size).toBe(0);
});

it("goes on without a draft when the browser forbids storage", () => {
  const refuse = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const drafts = createDrafts({ getItem: refuse, setItem: refuse, removeItem: refuse });
  drafts.write("one", "hello");
  expect(drafts.read("one")).toBe("");
});
