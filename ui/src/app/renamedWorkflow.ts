import { z } from "zod";
import type { AssistantApi } from "../api/assistantApi";
import type { KeyedStore } from "../shared/store";

const FOLDER = "workflows/";
const names = z.array(z.string());
const reply = z.object({ chats: z.array(z.string()) });

/** Lets the chats of a workflow be those of its new file, unless the old one is still there: then it is a copy. */
export function createFollowRenames(
  { send }: Pick<AssistantApi, "send">,
  threadFiles: KeyedStore<string>,
): (from: string, to: string) => Promise<void> {
  return async (from, to) => {
    if (!from.startsWith(FOLDER) || !to.startsWith(FOLDER)) return;
    try {
      const saved = await send("GET", "/userdata?dir=workflows&recurse=true&split=false&full_info=false");
      const there = names.parse(await saved.json());
      const isThere = (file: string) => there.includes(file.slice(FOLDER.length));
      if (isThere(from) || !isThere(to)) return;
      const renamed = await send("POST", "/assistant/renamed-workflows", { from, to });
      for (const chat of reply.parse(await renamed.json()).chats) threadFiles.put(chat, to);
    } catch (error) {
      console.warn("The assistant could not follow a renamed workflow.", error);
    }
  };
}
