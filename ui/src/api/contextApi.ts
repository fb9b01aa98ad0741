import { threadRoute as at, type Client } from "./client";
import {
  type Option,
  type OptionValue,
  option,
  optionsReply,
  type Pin,
  pin,
  type SearchHit,
  searchReply,
  type ThreadContext,
  threadContext,
} from "./contextReplies";
import { readSkills, type Skills } from "./skills";

/** What a thread's requests hold, what was condensed of it, and the options of that. */
export interface ContextApi {
  /** For views that read what no other does. */
  readonly client: Client;
  read(threadId: string): Promise<ThreadContext>;
  /** The model begins afresh from here. */
  clear(threadId: string): Promise<ThreadContext>;
  /** Takes back the newest clearing or condensing. */
  undo(threadId: string): Promise<ThreadContext>;
  compact(threadId: string, focus: string): Promise<ThreadContext>;
  addPin(threadId: string, text: string): Promise<Pin>;
  removePin(threadId: string, pinId: string): Promise<void>;
  skills(): Promise<Skills>;
  options(): Promise<Option[]>;
  /** `value` may be text as a person typed it. */
  configure(name: string, value: OptionValue): Promise<Option>;
  /** Has the model asked with its whole window again, or in the usual form. */
  forget(what: "window" | "rules"): Promise<unknown>;
  search(query: string): Promise<SearchHit[]>;
}

export const MOST_HITS = 20;

export function createContextApi(client: Client): ContextApi {
  const { send, read } = client;
  const act = (threadId: string, body: object) =>
    read(threadContext, send("POST", at(threadId, "context"), body));
  return {
    client,
    read: (threadId) => read(threadContext, send("GET", at(threadId, "context"))),
    clear: (threadId) => act(threadId, { action: "clear" }),
    undo: (threadId) => act(threadId, { action: "undo" }),
    compact: (threadId, focus) => act(threadId, { action: "compact", ...(focus && { focus }) }),
    addPin: (threadId, text) => read(pin, send("POST", at(threadId, "pins"), { text })),
    removePin: async (threadId, pinId) => {
      await send("DELETE", at(threadId, "pins", pinId));
    },
    skills: () => readSkills(client),
    options: async () => (await read(optionsReply, send("GET", "/assistant/options"))).options,
    configure: (name, value) => read(option, send("PUT", "/assistant/options", { name, value })),
    forget: (what) => send("DELETE", `/assistant/providers/learned-${what}`),
    search: async (query) => {
      const parameters = new URLSearchParams({ query, limit: String(MOST_HITS) });
      return (await read(searchReply, send("GET", `/assistant/search?${parameters}`))).results;
    },
  };
}
