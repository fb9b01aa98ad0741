import type { UIMessage } from "ai";
import { z } from "zod";
import { errorDetails } from "./errors";

/** Shapes of the extension's replies; unknown keys are dropped, so the server may add some. */

/** Of a model that its server, an Ollama, lets read few tokens: what it could read, and the command for more. */
export const widerWindow = z.object({ most: z.number(), command: z.string() });

export const modelStatus = z.object({
  state: z.enum(["ready", "needs-setup"]),
  label: z.string(),
  id: z.string(),
  provider: z.string().optional(),
  baseUrl: z.string(),
  source: z.enum(["environment", "file", "settings", "discovered", "none"]),
  local: z.boolean(),
  slim: z.boolean(),
  window: z.number(),
  /** Whether the model sees images; null where nobody knows. */
  vision: z.boolean().nullish(),
  notice: z.string().optional(),
  widerWindow: widerWindow.optional(),
});
export type ModelStatus = z.infer<typeof modelStatus>;

/** `reload`: the extension was updated, and the page is all that has to be. `seen`: what is said once, kept as this. */
const statusNote = z.object({
  message: z.string(),
  reload: z.boolean().optional(),
  seen: z.string().optional(),
});
export type StatusNote = z.infer<typeof statusNote>;

export const statusReply = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    version: z.string(),
    model: modelStatus,
    store: statusNote.optional(),
    update: statusNote.optional(),
    exposure: statusNote.optional(),
    /** The person has told nothing of themselves yet, and may be asked. */
    firstRun: z.boolean().optional(),
  }),
  z.object({ ok: z.literal(false), error: errorDetails }),
]);
export type StatusReply = z.infer<typeof statusReply>;

/** Where a model's window comes from, in words, and when it was learned, where it was. */
export const windowOrigin = { windowNote: z.string().nullish(), windowLearnedAt: z.number().nullish() };

/** Seconds since 1970. */
export const time = z.number().transform((seconds) => new Date(seconds * 1000));

export const threadSummary = z.object({
  id: z.string(),
  title: z.string().nullish(),
  updatedAt: time,
  messageCount: z.number(),
  pinned: z.boolean().default(false),
  /** When the server will remove it because nobody used it; null while that is far off. */
  expiresAt: time.nullish(),
  /** The file that was open with the newest message. */
  workflow: z.string().nullish(),
});
export type ThreadSummary = z.infer<typeof threadSummary>;
export const threadsReply = z.object({ threads: z.array(threadSummary) });

export const threadReply = z.object({
  id: z.string(),
  title: z.string().nullish(),
  total: z.number(),
  messages: z.array(z.custom<UIMessage>(isMessage)),
  /** What of the thread could not be read, and is missing from the messages. */
  damaged: z.array(z.object({ reason: z.string() })).default([]),
  /** The response that runs, which `messages` are without, and how many connections read it. */
  live: z.object({ response: z.string(), readers: z.number() }).optional(),
  /** Another process of ComfyUI writes an answer, of which the messages have what is saved. */
  elsewhere: z.boolean().optional(),
});
/** How far a thread's turn is, and which calls of browser tools a page has begun in it, with what it told of them. */
export const turnState = z.object({
  isOver: z.boolean(),
  /** This page makes the calls. */
  isMine: z.boolean(),
  response: z.string().nullable(),
  begun: z.record(z.string(), z.unknown()),
  /** The turn runs in another process of ComfyUI, or waits for one of its pages. */
  elsewhere: z.boolean().optional(),
  /** On which the turn works, as the page said that made its calls. */
  workflow: z
    .object({ name: z.string(), file: z.string().optional(), id: z.string().optional() })
    .nullish()
    .transform((workflow) => workflow ?? undefined),
});
export type MeantWorkflow = NonNullable<z.infer<typeof turnState>["workflow"]>;
export type TurnState = z.infer<typeof turnState>;
export type ThreadReply = z.infer<typeof threadReply>;

/** One of the ways a thread went: an edit or another answer begins a branch, the one before is kept. */
const branch = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  /** The last message that it shares with its parent; "" where it begins anew. */
  forkMessageId: z.string(),
  /** The first one of its own; "" before there is any. */
  firstMessageId: z.string(),
  isCurrent: z.boolean(),
  preview: z.string().default(""),
});
export type Branch = z.infer<typeof branch>;
export const branchesReply = z.object({ branches: z.array(branch) });

export const handleReply = z.object({ text: z.string() });

function isMessage(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    "role" in value &&
    "parts" in value &&
    Array.isArray(value.parts)
  );
}

export const documentReply = z.object({ text: z.string() });

export const threadDocumentsReply = z.object({
  documents: z.array(z.object({ number: z.number(), title: z.string() })),
});

export type ThreadDocument = z.output<typeof threadDocumentsReply>["documents"][number];
