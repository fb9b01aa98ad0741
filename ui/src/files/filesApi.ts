import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import { threadRoute } from "../api/client";
import { flaw } from "../api/flaws";

const projectFile = z.object({
  path: z.string(),
  name: z.string(),
  scope: z.enum(["all", "workflow"]),
  bytes: z.number(),
  characters: z.number(),
  tokens: z.number(),
  isOn: z.boolean(),
  problem: z.string(),
  isRead: z.boolean(),
  isWhole: z.boolean(),
});
const listing = z.object({
  folders: z.object({ all: z.string(), workflow: z.string() }),
  files: z.array(projectFile),
  leftOut: z.number(),
  diagnostics: z.array(flaw),
  room: z.number(),
  isSearched: z.boolean(),
});
const document = z.object({
  number: z.number(),
  title: z.string(),
  kind: z.enum(["attached", "project"]),
  characters: z.number(),
  start: z.number(),
  text: z.string(),
  place: z.object({ start: z.number(), end: z.number() }).nullable(),
  isChanged: z.boolean(),
});

export type Scope = ProjectFile["scope"];
export type ProjectFile = z.output<typeof projectFile>;
export type Listing = z.output<typeof listing>;
/** A part of a document. `start` and `place` are characters of the whole of it, as the server counts them. */
export type DocumentPart = z.output<typeof document>;

const route = "/assistant/project/files";
const query = (values: Record<string, string>) => `?${new URLSearchParams(values)}`;

/** The person's project files, and the documents of a thread. `workflow` is the file of the open one, "" for none. */
export function createFilesApi({ context: { client } }: Pick<AssistantApi, "context">) {
  const { fetch, read, send } = client;
  return {
    list: (workflow: string, thread = "") =>
      read(listing, send("GET", `/assistant/project${query({ workflow, thread })}`)),
    write: async (
      scope: Scope,
      workflow: string,
      { name, content, replace }: { name: string; content: Blob; replace: boolean },
    ) => {
      const asked = query({ scope, workflow, name, replace: replace ? "1" : "" });
      // The server takes nothing that changes something without this type: a foreign page cannot send it.
      const headers = { "content-type": "application/json" };
      await fetch(`${route}${asked}`, { method: "PUT", headers, body: content });
    },
    turn: async (path: string, isOn: boolean) => {
      await send("PATCH", route, { path, isOn });
    },
    move: async (path: string, scope: Scope, workflow: string) => {
      await send("PATCH", route, { path, scope, workflow });
    },
    remove: async (path: string) => {
      await send("DELETE", `${route}${query({ path })}`);
    },
    restore: async (path: string) => {
      await send("POST", `${route}/restore`, { path });
    },
    document: (threadId: string, number: number, part: { near: string } | { start: string }) =>
      read(document, send("GET", `${threadRoute(threadId, "documents", String(number))}${query(part)}`)),
  };
}
