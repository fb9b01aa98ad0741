import { afterEach, expect, it, vi } from "vitest";
import { createLazyChunk } from "./lazyChunk";

afterEach(() => vi.unstubAllGlobals());

const settled = () => new Promise((resolve) => setTimeout(resolve));

it("loads a chunk once, however often it is asked for", async () => {
  let loads = 0;
  const chunk = createLazyChunk(async () => ++loads);
  chunk.load();
  chunk.load();
  await settled();
  chunk.load();
  expect([chunk.get(), loads]).toEqual([{ kind: "ready", content: 1 }, 1]);
});

it("says why a chunk did not come, and tries again when it is asked for again", async () => {
  let isThere = false;
  const chunk = createLazyChunk(async () => {
    if (!isThere) throw new TypeError("Failed to fetch dynamically imported module");
    return "the view";
  });
  chunk.load();
  await settled();
  expect(chunk.get()).toEqual({ kind: "failed", reason: "Failed to fetch dynamically imported module" });
  isThere = true;
  chunk.load();
  expect(chunk.get()).toEqual({ kind: "loading" });
  await settled();
  expect(chunk.get()).toEqual({ kind: "ready", content: "the view" });
});

it("tries again by itself as soon as the browser is online again", async () => {
  const { addEventListener, dispatchEvent } = bound(new EventTarget());
  vi.stubGlobal("addEventListener", addEventListener);
  let loads = 0;
  const chunk = createLazyChunk(async () => {
    if (++loads === 1) throw new TypeError("Failed to fetch");
    return "the view";
  });
  chunk.load();
  await settled();
  for (const _ of ["once", "and for all"]) dispatchEvent(new Event("online"));
  await settled();
  expect([chunk.get(), loads]).toEqual([{ kind: "ready", content: "the view" }, 2]);
});

function bound(target: EventTarget) {
  return {
    addEventListener: target.addEventListener.bind(target),
    dispatchEvent: target.dispatchEvent.bind(target),
  };
}

it("can be waited for, with the reason when it does not come", async () => {
  let isThere = false;
  const chunk = createLazyChunk(async () => {
    if (!isThere) throw new TypeError("Failed to fetch");
    return "the tools";
  });
  await expect(chunk.arrival()).rejects.toThrow("Failed to fetch");
  isThere = true;
  expect(await Promise.all([chunk.arrival(), chunk.arrival()])).toEqual(["the tools", "the tools"]);
});
