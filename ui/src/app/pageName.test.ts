import { expect, it } from "vitest";
import { createPageName } from "./pageName";

function createStorage(isFull = false) {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new Error("full");
      kept.set(key, value);
    },
  };
}

it("names a page by ComfyUI's id and by what only this tab knows, before and after a reload", () => {
  const tab = createStorage();
  const name = createPageName(() => "p1", tab)();
  expect(name).toMatch(/^p1:[\da-f-]{36}$/);
  expect(createPageName(() => "p1", tab)()).toBe(name);
  expect(createPageName(() => "p1", createStorage())()).not.toBe(name);
});

it("has no name before ComfyUI gave the page an id", () => {
  let id: string | undefined;
  const name = createPageName(() => id, createStorage());
  expect(name()).toBeUndefined();
  id = "p1";
  expect(name()).toMatch(/^p1:/);
});

it("keeps its name as long as the page stands where the browser stores nothing", () => {
  const name = createPageName(() => "p1", createStorage(true));
  expect(name()).toBe(name());
});
