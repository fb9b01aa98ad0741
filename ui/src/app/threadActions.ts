import type { ContextApi } from "../api/contextApi";
import type { ThreadContext } from "../api/contextReplies";
import { RequestError } from "../api/errors";
import { keptValue, optionTyped, valueWords } from "../api/optionWords";
import { personaOf } from "../api/personas";
import type { Wanted } from "../api/threadProvider";
import { describeCompaction } from "../shared/compactions";
import { chooseAnswerer } from "./chooseAnswerer";

/** What a command changes about a thread's context, or about all of them. */
export type ThreadAction =
  | { kind: "clear" }
  | { kind: "compact"; focus: string }
  | { kind: "pin"; text: string }
  | { kind: "persona"; name: string }
  | { kind: "answerer"; wanted: Wanted }
  | { kind: "configure"; name: string; value: string };

/** What came of it, in one sentence. */
export interface Outcome {
  text: string;
  /** Takes it back. */
  undo?: () => Promise<Outcome>;
  /** How the thread's context is now, where it has changed. */
  context?: ThreadContext;
}

export interface OpenThread {
  /** Undefined until something was said. */
  id: string | undefined;
  /** Has the server know the thread, and gives its id. */
  begin(): Promise<string>;
}

export async function performThreadAction(
  action: ThreadAction,
  thread: OpenThread,
  api: ContextApi,
): Promise<Outcome> {
  try {
    return await perform(action, thread, api);
  } catch (error) {
    if (isNothingToDo(error)) return { text: error.message };
    throw error;
  }
}

/** Not a failure: there is nothing to condense, or nothing to undo. */
function isNothingToDo(error: unknown): error is RequestError {
  return error instanceof RequestError && error.details.code === "nothing_to_do";
}

async function perform(action: ThreadAction, thread: OpenThread, api: ContextApi): Promise<Outcome> {
  switch (action.kind) {
    case "pin":
      return pin(action.text, await thread.begin(), api);
    case "persona":
      return choosePersona(action.name, await thread.begin(), api);
    case "answerer":
      return chooseAnswerer(action.wanted, await thread.begin(), api);
    case "configure":
      return configure(action.name, action.value, api);
    case "clear":
      return thread.id === undefined ? nothingSaid : clear(thread.id, api);
    case "compact":
      return thread.id === undefined ? nothingSaid : compact(thread.id, action.focus, api);
  }
}

const nothingSaid: Outcome = { text: "Nothing was said in this chat yet." };

async function clear(threadId: string, api: ContextApi): Promise<Outcome> {
  const context = await api.clear(threadId);
  return {
    text: "Context cleared. You can still read everything above.",
    context,
    undo: () => undo(threadId, api),
  };
}

async function compact(threadId: string, focus: string, api: ContextApi): Promise<Outcome> {
  const known = new Set((await api.read(threadId)).compactions.map(({ id }) => id));
  const context = await api.compact(threadId, focus);
  const made = context.compactions.find(({ id }) => !known.has(id));
  if (!made) return { text: "There is nothing to condense yet.", context };
  return { text: `${describeCompaction(made)}.`, context, undo: () => undo(threadId, api) };
}

async function undo(threadId: string, api: ContextApi): Promise<Outcome> {
  return {
    text: "Taken back: the model is sent what it was sent before.",
    context: await api.undo(threadId),
  };
}

async function pin(text: string, threadId: string, api: ContextApi): Promise<Outcome> {
  const { id } = await api.addPin(threadId, text);
  return {
    text: `Pinned: the model is reminded of “${text}” in every turn of this chat.`,
    undo: async () => {
      await api.removePin(threadId, id);
      return { text: `Unpinned “${text}”.` };
    },
  };
}

async function choosePersona(name: string, threadId: string, api: ContextApi): Promise<Outcome> {
  const before = (await personaOf(api.client, threadId)).chosen;
  const { persona } = await personaOf(api.client, threadId, /^none$/i.test(name) ? "" : name);
  return {
    text: persona ? `${persona.name} answers in this chat from now on.` : "No other persona in this chat.",
    undo: () => choosePersona(before || "none", threadId, api),
  };
}

async function configure(name: string, value: string, api: ContextApi): Promise<Outcome> {
  const options = await api.options();
  const meant = optionTyped(options, name);
  const saved = await api.configure(meant?.name ?? name, meant ? keptValue(meant, value) : value);
  const before = options.find((each) => each.name === saved.name);
  return {
    text: `${saved.label}: now ${valueWords(saved)}.`,
    ...(before && {
      undo: async () => {
        const restored = await api.configure(before.name, before.value);
        return { text: `${restored.label}: ${valueWords(restored)} again.` };
      },
    }),
  };
}
