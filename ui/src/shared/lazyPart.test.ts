import { expect, it } from "vitest";
import { createLazyPart } from "./lazyPart";

const settled = () => new Promise((resolve) => setTimeout(resolve));

it("loads a part once, however often it is asked for", async () => {
  let loads = 0;
  const part = createLazyPart(async () => ++loads);
  part.load();
  part.load();
  await settled();
  part.load();
  expect([part.get(), loads]).toEqual([{ kind: "ready", part: 1 }, 1]);
});

it("says why a part did not come, and tries again when it is asked for again", async () => {
  let isThere = false;
  const part = createLazyPart(async () => {
    if (!isThere) throw new TypeError("Failed to fetch dynamically imported module");
    return "the view";
  });
  part.load();
  await settled();
  expect(part.get()).toEqual({ kind: "failed", reason: "Failed to fetch dynamically imported module" });
  isThere = true;
  part.load();
  expect(part.get()).toEqual({ kind: "loading" });
  await settled();
  expect(part.get()).toEqual({ kind: "ready", part: "the view" });
});

it("can be waited for, with the reason when it does not come", async () => {
  let isThere = false;
  const part = createLazyPart(async () => {
    if (!isThere) throw new TypeError("Failed to fetch");
    return "the tools";
  });
  await expect(part.arrival()).rejects.toThrow("Failed to fetch");
  isThere = true;
  expect(await Promise.all([part.arrival(), part.arrival()])).toEqual(["the tools", "the tools"]);
});
