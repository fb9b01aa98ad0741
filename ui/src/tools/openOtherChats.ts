import { z } from "zod";
import { askFor } from "./missing/ask";
import { defineTool } from "./tool";
import { declined, ToolError } from "./toolError";

const leave = z.object({ searchesAll: z.boolean() });

/** Nothing crosses chats before the person has said yes for the one that looks. */
export const openOtherChats = defineTool<object, unknown>({
  name: "openOtherChats",
  description: "Ask to search the user's other chats.",
  input: z.object({}),
  effect: "reads",
  async run(_, __, { ask, thread, confirm }) {
    if (!ask || !thread) throw new ToolError("There are no other chats here.");
    const route = `/assistant/threads/${encodeURIComponent(thread)}/memory`;
    const done = {
      ok: true as const,
      summary: "The user lets searchHistory search their other chats and memory in this chat.",
      data: { next: "Call searchHistory again." },
    };
    if ((await askFor(leave, ask("GET", route))).searchesAll) return done;
    const yes = await confirm({
      title: "Let this chat look into your other chats?",
      detail:
        "The model may then find what was said and made in them, and your memory. /memory takes it back.",
      always: true,
      allow: "Let it look",
    });
    if (!yes) return declined("looking into other chats.");
    await askFor(leave, ask("PUT", route, { searchesAll: true }));
    return done;
  },
  label: () => "Look into your other chats",
});
