import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import { threadRoute } from "../api/client";
import { detailsOf } from "../api/errors";
import { flaw } from "../api/flaws";
import { amountOf } from "../shared/amounts";
import type { Chosen, ChosenFile } from "./chosenFiles";

const projectFile = z.object({
  path: z.string(),
  name: z.string(),
  bytes: z.number(),
  characters: z.number(),
  tokens: z.number(),
  isOn: z.boolean(),
  problem: z.string(),
  isRead: z.boolean(),
  isWhole: z.boolean(),
});
const listing = z.object({
  folder: z.string(),
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

export type ProjectFile = z.output<typeof projectFile>;
export type Listing = z.output<typeof listing>;
/** A part of a document. `start` and `place` are characters of the whole of it, as the server counts them. */
export type DocumentPart = z.output<typeof document>;

/** Files that did not come in. */
export interface Refused {
  /** Another of the same name is there. */
  present: ChosenFile[];
  /** What was wrong with the others, and that hidden ones were left out. */
  problems: string[];
}

const route = "/assistant/project/files";
const query = (values: Record<string, string>) => `?${new URLSearchParams(values)}`;

/** The user's project files, and the documents of a thread. */
export function createFilesApi({ context: { client } }: Pick<AssistantApi, "context">) {
  const { fetch, read, send } = client;
  const write = async (name: string, content: Blob, { replace }: { replace: boolean }) => {
    // The server takes nothing that changes something without this type: a foreign page cannot send it.
    const headers = { "content-type": "application/json" };
    await fetch(`${route}${query({ name, replace: replace ? "1" : "" })}`, {
      method: "PUT",
      headers,
      body: content,
    });
  };
  return {
    list: (thread = "") => read(listing, send("GET", `/assistant/project${query({ thread })}`)),
    /** Takes in one file after the other; undefined where all came in. */
    async writeAll(
      { files, hidden }: Chosen,
      { replace }: { replace: boolean },
    ): Promise<Refused | undefined> {
      const refused: Refused = { present: [], problems: [] };
      for (const file of files) {
        try {
          await write(file.name, file.content, { replace });
        } catch (error) {
          const { code, message, hint } = detailsOf(error);
          if (code === "already_there") refused.present.push(file);
          else refused.problems.push(`${message} ${hint ?? ""}`.trim());
        }
      }
      if (hidden > 0) refused.problems.push(`${amountOf(hidden, "hidden file")} left out.`);
      if (files.length + hidden === 0) refused.problems.push("There was no file in it.");
      return refused.present.length + refused.problems.length > 0 ? refused : undefined;
    },
    turn: async (path: string, isOn: boolean) => {
      await send("PATCH", route, { path, isOn });
    },
    remove: async (path: string) => {
      await send("DELETE", `${route}${query({ path })}`);
    },
    document: (threadId: string, number: number, part: { near: string } | { start: string }) =>
      read(document, send("GET", `${threadRoute(threadId, "documents", String(number))}${query(part)}`)),
  };
}
