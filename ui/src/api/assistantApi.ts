import type { z } from "zod";
import { wellFormed } from "../shared/wellFormed";
import { errorFromReply, RequestError, unreachable } from "./errors";
import {
  type ConnectionTest,
  connectionTest,
  type DiscoveredEndpoint,
  discoveredReply,
  type ProviderChange,
  type ProviderSettings,
  providerSettings,
  type SkillSummary,
  type StatusReply,
  skillsReply,
  statusReply,
  type ThreadReply,
  type ThreadSummary,
  threadReply,
  threadSummary,
  threadsReply,
} from "./replies";

/** ComfyUI's own fetch: it adds the base path and the user of this page. */
export type FetchApi = (route: string, init?: RequestInit) => Promise<Response>;

export interface AssistantApi {
  /** A streamed turn; resolves once the answer has begun. */
  chat(init: RequestInit): Promise<Response>;
  status(): Promise<StatusReply>;
  settings(): Promise<ProviderSettings>;
  saveSettings(change: ProviderChange): Promise<ProviderSettings>;
  testConnection(change: ProviderChange): Promise<ConnectionTest>;
  discoveredEndpoints(): Promise<DiscoveredEndpoint[]>;
  threads(): Promise<ThreadSummary[]>;
  createThread(): Promise<ThreadSummary>;
  /** The newest `tail` messages of a thread. */
  thread(id: string, tail: number): Promise<ThreadReply>;
  renameThread(id: string, title: string): Promise<void>;
  deleteThread(id: string): Promise<void>;
  skills(): Promise<SkillSummary[]>;
}

/** The extension's HTTP routes. Every method throws a `RequestError` when it fails. */
export function createAssistantApi(fetchApi: FetchApi): AssistantApi {
  async function send(method: string, route: string, body?: unknown): Promise<Response> {
    return checked(fetchApi, route, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(wellFormed(body)),
      }),
    });
  }

  async function read<Schema extends z.ZodType>(schema: Schema, reply: Promise<Response>) {
    const response = await reply;
    const parsed = schema.safeParse(await response.json().catch(() => undefined));
    if (parsed.success) return parsed.data;
    throw new RequestError(
      {
        code: "unknown_reply",
        message: `The assistant's server part answered in a form that this panel does not know (${new URL(response.url, location.href).pathname}).`,
        hint: "After an update, restart ComfyUI and reload this page, so that both parts have the same version.",
      },
      response.status,
    );
  }

  return {
    chat: (init) => checked(fetchApi, "/chat", init),
    status: () => read(statusReply, send("GET", "/assistant/status")),
    settings: () => read(providerSettings, send("GET", "/assistant/settings")),
    saveSettings: (change) => read(providerSettings, send("PUT", "/assistant/settings", change)),
    testConnection: (change) => read(connectionTest, send("POST", "/assistant/providers/test", change)),
    discoveredEndpoints: async () =>
      (await read(discoveredReply, send("GET", "/assistant/providers/discovered"))).endpoints,
    threads: async () => (await read(threadsReply, send("GET", "/assistant/threads"))).threads,
    createThread: () => read(threadSummary, send("POST", "/assistant/threads", {})),
    thread: (id, tail) =>
      read(threadReply, send("GET", `/assistant/threads/${encodeURIComponent(id)}?tail=${tail}`)),
    renameThread: async (id, title) => {
      await send("PATCH", `/assistant/threads/${encodeURIComponent(id)}`, { title });
    },
    deleteThread: async (id) => {
      await send("DELETE", `/assistant/threads/${encodeURIComponent(id)}`);
    },
    skills: async () => {
      const lists = await Promise.all(
        ["/user-context/skills", "/system-context/skills"].map((route) =>
          read(skillsReply, send("GET", route)),
        ),
      );
      const bySlug = new Map<string, SkillSummary>();
      for (const skill of lists.flatMap(({ skills }) => skills))
        if (!bySlug.has(skill.slug)) bySlug.set(skill.slug, skill);
      return [...bySlug.values()];
    },
  };
}

async function checked(fetchApi: FetchApi, route: string, init: RequestInit): Promise<Response> {
  const response = await fetchApi(route, init).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw unreachable();
  });
  if (response.ok) return response;
  throw errorFromReply(response.status, await response.text().catch(() => ""));
}
