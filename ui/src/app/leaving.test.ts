import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createStays } from "./leaving";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function page() {
  const listeners = new Map<string, () => void>();
  const stays = createStays((type, listener) => listeners.set(type, listener), 5_000);
  const has = async (milliseconds: number) => {
    let isKnown = false;
    void stays().then(() => {
      isKnown = true;
    });
    await vi.advanceTimersByTimeAsync(milliseconds);
    return isKnown;
  };
  return { has, hear: (type: string) => listeners.get(type)?.() };
}

it("stays as a rule, which is known at once", async () => {
  expect(await page().has(0)).toBe(true);
});

it("is waited for where it is about to be left, until it has stayed for long", async () => {
  const { has, hear } = page();
  hear("beforeunload");
  expect([await has(4_000), await has(2_000)]).toEqual([false, true]);
});

it("never is once it is gone, unless it is brought back", async () => {
  const { has, hear } = page();
  hear("beforeunload");
  await vi.advanceTimersByTimeAsync(100);
  hear("pagehide");
  expect(await has(60_000)).toBe(false);
  hear("pageshow");
  expect(await has(200)).toBe(true);
});
