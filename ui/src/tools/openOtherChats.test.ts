import { expect, it } from "vitest";
import type { Ask } from "./missing/ask";
import { openOtherChats } from "./openOtherChats";
import { testCalls } from "./testing/testCall";

/** A server that keeps which chat may look into others. */
function serverWith(searchesAll: boolean) {
  const kept = { searchesAll, routes: [] as string[] };
  const ask: Ask = async (method, route, body) => {
    kept.routes.push(`${method} ${route}`);
    if (method === "PUT") Object.assign(kept, body);
    return { ok: true, value: { searchesAll: kept.searchesAll } };
  };
  const calls = testCalls();
  calls.ask = ask;
  calls.thread = "t/1";
  return { calls, kept };
}

it("lets the chat look into others once the person says yes, also where nothing else is asked", async () => {
  const { calls, kept } = serverWith(false);
  expect(await calls.call(openOtherChats)).toMatchObject({ ok: true });
  expect(calls.asked).toMatchObject([{ title: "Let this chat look into your other chats?", always: true }]);
  expect(kept.searchesAll).toBe(true);
  expect(kept.routes.at(-1)).toBe("PUT /assistant/threads/t%2F1/memory");
});

it("asks no second time", async () => {
  const { calls } = serverWith(true);
  expect(await calls.call(openOtherChats)).toMatchObject({ ok: true });
  expect(calls.asked).toEqual([]);
});

it("opens nothing without a yes", async () => {
  const { calls, kept } = serverWith(false);
  calls.isAllowed = false;
  expect(await calls.call(openOtherChats)).toMatchObject({ ok: false, code: "declined" });
  expect(kept.searchesAll).toBe(false);
});
