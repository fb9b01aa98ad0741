import { expect, it, vi } from "vitest";
import { createKeyedStore } from "../shared/store";
import { createFollowRenames } from "./renamedWorkflow";

function following(there: string[]) {
  const sent: unknown[] = [];
  const threadFiles = createKeyedStore<string>();
  const send = vi.fn(async (method: string, _route: string, body?: unknown) => {
    if (method === "POST") sent.push(body);
    return new Response(JSON.stringify(method === "POST" ? { chats: ["t1"] } : there));
  });
  return { follow: createFollowRenames({ send }, threadFiles), sent, threadFiles };
}

it("tells the server of a workflow that was renamed, and knows its chats by the new file", async () => {
  const { follow, sent, threadFiles } = following(["b.json"]);
  await follow("workflows/a.json", "workflows/b.json");
  expect(sent).toEqual([{ from: "workflows/a.json", to: "workflows/b.json" }]);
  expect(threadFiles.get().get("t1")).toBe("workflows/b.json");
});

it.each([
  ["a copy beside the old file", ["a.json", "b.json"], "workflows/b.json"],
  ["a file that is not there", ["c.json"], "workflows/b.json"],
  ["a file elsewhere", ["b.json"], "b.json"],
])("leaves all as it is for %s", async (_, there, to) => {
  const { follow, sent } = following(there);
  await follow("workflows/a.json", to);
  expect(sent).toEqual([]);
});
