import type { UIMessage } from "ai";
import { storedList } from "../../shared/storedList";

const KEY = "comfyui-assistant.held";
const MOST = 8;
/** In characters: the browser gives a site about five million, and ComfyUI needs its own. */
const LONGEST = 1_000_000;

/** A message of the person that the server may have, and may not have. */
export interface HeldMessage {
  id: string;
  /** Undefined for the first one of a chat, which the server may not know either. */
  thread?: string | undefined;
  parts: UIMessage["parts"];
  /** It could not be sent, and is a draft again. */
  isDraft?: boolean;
}

/**
 * The messages that are on their way to the server, written down before they go: a page may be gone at any moment, and
 * the next one in its tab looks for them in the thread, or gives them back.
 */
export interface HeldMessages {
  /**
   * A message is about to be sent. Returns its id: the same that it had before where it was not known to have arrived,
   * so that the server never takes one for two.
   */
  hold(thread: string | undefined, parts: UIMessage["parts"]): string;
  /** The server has it. */
  release(id: string): void;
  /** It is in the composer again. */
  becomesDraft(id: string, thread: string | undefined): void;
  /** What the page before has left in a thread, or in the chat that has no id yet. Each is told once. */
  takeLeft(thread: string | undefined): HeldMessage[];
}

type Store = Pick<Storage, "getItem" | "setItem">;

/**
 * `opened` is the thread with which the page begins: the first message of a chat belongs to that one. A storage may be
 * full or forbidden; then only this page knows.
 */
export function createHeldMessages(
  storage: Store,
  opened: string | undefined,
  newId: () => string,
): HeldMessages {
  let held: HeldMessage[] = storedList<HeldMessage>(storage, KEY).map((message) => ({
    ...message,
    thread: message.thread ?? opened,
  }));
  let left = held;

  function put(next: HeldMessage[]): void {
    held = next.slice(-MOST);
    try {
      const text = JSON.stringify(held);
      storage.setItem(KEY, text.length > LONGEST ? JSON.stringify(held.map(withoutFiles)) : text);
    } catch {}
  }

  const others = (id: string) => held.filter((message) => message.id !== id);
  return {
    hold(thread, parts) {
      const same = held.find(
        (each) =>
          each.isDraft && each.thread === thread && JSON.stringify(each.parts) === JSON.stringify(parts),
      );
      const id = same?.id ?? newId();
      put([...others(id), { id, thread, parts }]);
      return id;
    },
    release: (id) => put(others(id)),
    becomesDraft(id, thread) {
      const message = held.find((each) => each.id === id);
      if (message) put([...others(id), { ...message, thread, isDraft: true }]);
    },
    takeLeft(thread) {
      const taken = left.filter((message) => message.thread === thread);
      left = left.filter((message) => message.thread !== thread);
      return taken;
    },
  };
}

function withoutFiles(message: HeldMessage): HeldMessage {
  return { ...message, parts: message.parts.filter(({ type }) => type !== "file") };
}
