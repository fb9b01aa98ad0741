import { expect, it } from "vitest";
import { createBegunCalls } from "./begunCalls";

function storage(initial?: string) {
  let kept = initial;
  return {
    getItem: () => kept ?? null,
    setItem: (_: string, text: string) => {
      kept = text;
    },
  };
}

it("knows in the next page what the one before began", () => {
  const shared = storage();
  createBegunCalls(shared).add("c1");
  const next = createBegunCalls(shared);
  expect([next.has("c1"), next.has("c2")]).toEqual([true, false]);
});

it("keeps the newest only", () => {
  const shared = storage();
  const calls = createBegunCalls(shared);
  for (let number = 0; number < 200; number++) calls.add(`c${number}`);
  expect([calls.has("c0"), calls.has("c199"), shared.getItem()?.length]).toEqual([false, true, 421]);
});

it.each(["nonsense", "{}", "null"])("begins anew where the storage holds %s", (text) => {
  const calls = createBegunCalls(storage(text));
  calls.add("c1");
  expect(calls.has("c1")).toBe(true);
});

it("does without a storage", () => {
  const none = () => {
    throw new Error("forbidden");
  };
  const calls = createBegunCalls({ getItem: none, setItem: none });
  calls.add("c1");
  expect(calls.has("c1")).toBe(true);
});
