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

const done = { ok: true, summary: "Done.", data: {} } as const;

it("knows in the next page what the one before began, and what came of it", () => {
  const shared = storage();
  const calls = createBegunCalls(shared);
  calls.add("c1");
  calls.add("c2");
  calls.settle("c1", done);
  const next = createBegunCalls(shared);
  expect(["c1", "c2", "c3"].map((id) => [next.has(id), next.resultOf(id)])).toEqual([
    [true, done],
    [true, undefined],
    [false, undefined],
  ]);
});

it("keeps the newest only, and of a long result that there was a call", () => {
  const shared = storage();
  const calls = createBegunCalls(shared);
  for (let number = 0; number < 200; number++)
    calls.settle(`c${number}`, { ...done, summary: "x".repeat(200_000) });
  const next = createBegunCalls(shared);
  expect([next.has("c0"), next.has("c199"), next.resultOf("c199")]).toEqual([false, true, undefined]);
  expect(shared.getItem()?.length).toBeLessThan(1_000);
});

it.each(["nonsense", "{}", "null", "[1]"])("begins anew where the storage holds %s", (text) => {
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
