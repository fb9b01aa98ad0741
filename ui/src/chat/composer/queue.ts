import { createKeyedStore, type KeyedStore } from "../../shared/store";
import type { AttachedFile } from "./attachedFile";

const KEY = "comfyui-assistant.queue";
/** In characters: the browser gives a site about five million, and ComfyUI needs its own. */
const MOST = 1_000_000;

/** A message that was sent while a turn ran. It never changes: one that is edited is another. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
  readonly files: readonly AttachedFile[];
  /** The names of its files where those were too large to be kept for a page that is loaded anew. */
  readonly lost?: readonly string[];
}

/**
 * What waits for the end of each thread's turn, in the order in which it goes out. All pages of the browser show and
 * change the same queue; a message goes out by the page that takes it.
 */
export interface Queue {
  messages: KeyedStore<readonly QueuedMessage[]>;
  /** At its end, or where it was taken from; returns its id. */
  add(thread: string, message: Pick<QueuedMessage, "text" | "files">, place?: number): string;
  /** Undefined where another page has taken it. */
  take(thread: string, id: string): { message: QueuedMessage; place: number } | undefined;
  /** It goes out before the others, by this page, as soon as no turn runs, however that one ended. */
  hurry(thread: string, id: string): void;
  isUrgent(thread: string, id: string): boolean;
}

type Kept = Record<string, readonly QueuedMessage[]>;

/** A storage may be full or forbidden: then the queue is as old as the page. */
export function createQueue(storage: Pick<Storage, "getItem" | "setItem">, newId: () => string): Queue {
  const messages = createKeyedStore<readonly QueuedMessage[]>();
  /** With their files, also where the storage has no room for those. */
  const whole = new Map<string, QueuedMessage>();
  const urgent = new Map<string, string>();
  let known: string | null = null;

  function read(): void {
    try {
      const text = storage.getItem(KEY);
      if (text === known) return;
      const kept: Kept = JSON.parse(text ?? "{}");
      messages.set(
        new Map(
          Object.entries(kept).map(([thread, those]) => [
            thread,
            those.map((each) => whole.get(each.id) ?? each),
          ]),
        ),
      );
      known = text;
    } catch {}
  }

  function put(thread: string, next: readonly QueuedMessage[]): void {
    messages.put(thread, next.length > 0 ? next : undefined);
    const kept = JSON.stringify(Object.fromEntries(messages.get()));
    try {
      const text =
        kept.length > MOST ? JSON.stringify(Object.fromEntries(messages.get()), withoutFiles) : kept;
      storage.setItem(KEY, text);
      known = text;
    } catch {}
  }

  const of = (thread: string) => messages.get().get(thread) ?? [];
  read();
  globalThis.addEventListener?.("storage", ({ key }: StorageEvent) => {
    if (key === KEY) read();
  });
  return {
    messages,
    add(thread, { text, files }, place = Number.POSITIVE_INFINITY) {
      read();
      const message = { id: newId(), text, files };
      whole.set(message.id, message);
      put(thread, of(thread).toSpliced(place, 0, message));
      return message.id;
    },
    take(thread, id) {
      read();
      const place = of(thread).findIndex((message) => message.id === id);
      const message = of(thread)[place];
      if (!message) return undefined;
      put(thread, of(thread).toSpliced(place, 1));
      return { message, place };
    },
    hurry(thread, id) {
      read();
      const first = of(thread).find((message) => message.id === id);
      if (!first) return;
      urgent.set(thread, id);
      put(thread, [first, ...of(thread).filter((message) => message !== first)]);
    },
    isUrgent: (thread, id) => urgent.get(thread) === id,
  };
}

function withoutFiles(_: string, value: unknown) {
  return isWithFiles(value) ? { ...value, files: [], lost: value.files.map(({ name }) => name) } : value;
}

const isWithFiles = (value: unknown): value is QueuedMessage =>
  typeof value === "object" &&
  value !== null &&
  "files" in value &&
  Array.isArray(value.files) &&
  value.files.length > 0;
