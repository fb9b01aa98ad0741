import { expect, it, vi } from "vitest";
import { createKeyedStore, createStore } from "./store";

it("tells its listeners about a new value and not about the same one", () => {
  const store = createStore(1);
  const listener = vi.fn();
  const stop = store.subscribe(listener);
  store.set(1);
  store.set((value) => value + 1);
  stop();
  store.set(5);
  expect([store.get(), listener.mock.calls.length]).toEqual([5, 1]);
});

it("keeps values by key and forgets a key that is set to nothing", () => {
  const store = createKeyedStore<string>();
  store.put("a", "one");
  store.put("b", "two");
  store.put("a", undefined);
  expect([...store.get()]).toEqual([["b", "two"]]);
});
