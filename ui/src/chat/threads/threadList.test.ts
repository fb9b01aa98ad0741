import { expect, it } from "vitest";
import { createAssistantApi } from "../../api/assistantApi";
import type { ErrorDetails } from "../../api/errors";
import { createStore } from "../../shared/store";
import { createThreadList, type UnopenedThread } from "./threadList";

const full = { error: { code: "store_failed", message: "The disk is full.", hint: "Make room." } };

const gone = { error: { code: "unknown_thread", message: "This chat does not exist any more.", hint: "" } };

function threadList(isDiskFull: () => boolean) {
  const requests: string[] = [];
  const failure = createStore<ErrorDetails | undefined>(undefined);
  const unopened = createStore<UnopenedThread | undefined>(undefined);
  const api = createAssistantApi(async (route, init) => {
    requests.push(`${init?.method} ${route} ${init?.body ?? ""}`.trim());
    if (route.startsWith("/assistant/threads/t9")) return Response.json(gone, { status: 404 });
    if (init?.method === "GET")
      return Response.json({
        threads: [
          { id: "t1", title: "Red", updatedAt: 10, messageCount: 2, pinned: true, expiresAt: null },
          { id: "t2", title: null, updatedAt: 20, messageCount: 0 },
          { id: "t3", title: null, updatedAt: 30, messageCount: 1, pinned: false, expiresAt: 86_400 },
        ],
      });
    return isDiskFull() ? Response.json(full, { status: 500 }) : new Response(null, { status: 204 });
  });
  return { list: createThreadList(api, failure, unopened), failure, unopened, requests };
}

it("lists threads that have messages, with what is known of each", async () => {
  const { list } = threadList(() => false);
  expect((await list.list()).threads.map(({ remoteId, custom }) => [remoteId, custom])).toEqual([
    ["t1", { pinned: true, expiresAt: null }],
    ["t3", { pinned: false, expiresAt: new Date(86_400_000) }],
  ]);
});

it("pins and unpins", async () => {
  const { list, requests } = threadList(() => false);
  await list.updateCustom?.("t1", { pinned: true });
  await list.updateCustom?.("t1", { pinned: false });
  expect(requests).toEqual([
    'PATCH /assistant/threads/t1 {"pinned":true}',
    'PATCH /assistant/threads/t1 {"pinned":false}',
  ]);
});

it("says why a change did not last, until the next one does", async () => {
  let isDiskFull = true;
  const { list, failure } = threadList(() => isDiskFull);
  await expect(list.rename("t1", "Blue")).rejects.toThrow();
  expect(failure.get()).toEqual(full.error);
  await expect(list.delete("t1")).rejects.toThrow();
  expect(failure.get()).toEqual(full.error);
  isDiskFull = false;
  await list.delete("t1");
  expect(failure.get()).toBeUndefined();
});

it("leaves a deleted chat out of a list that was asked for before, and keeps one that could not be deleted", async () => {
  let isDiskFull = false;
  const { list } = threadList(() => isDiskFull);
  const remoteIds = async (listing = list.list()) => (await listing).threads.map(({ remoteId }) => remoteId);
  const asked = list.list();
  await list.delete("t1");
  expect(await remoteIds(asked)).toEqual(["t3"]);
  isDiskFull = true;
  await expect(list.delete("t3")).rejects.toThrow();
  expect(await remoteIds()).toEqual(["t3"]);
});

it("says which thread could not be opened", async () => {
  const { list, unopened } = threadList(() => false);
  await expect(list.fetch("t9")).rejects.toThrow();
  expect(unopened.get()).toMatchObject({ id: "t9", details: gone.error });
});
