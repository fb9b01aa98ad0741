import { afterEach, expect, it, vi } from "vitest";
import { isMarked, mark } from "./keptMark";

afterEach(() => void vi.unstubAllGlobals());

function inStorage(storage: Pick<Storage, "getItem" | "setItem">): void {
  vi.stubGlobal("localStorage", storage);
}

it("is kept by the browser", () => {
  const kept = new Map([["earlier", "1"]]);
  inStorage({ getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) });
  expect([isMarked("earlier"), isMarked("now")]).toEqual([true, false]);
  mark("now");
  expect([kept.get("now"), isMarked("now")]).toEqual(["1", true]);
});

it("holds for this page where the storage is full or forbidden", () => {
  const forbidden = () => {
    throw new DOMException("denied", "SecurityError");
  };
  inStorage({ getItem: forbidden, setItem: forbidden });
  expect(isMarked("there")).toBe(false);
  mark("there");
  expect(isMarked("there")).toBe(true);
});
