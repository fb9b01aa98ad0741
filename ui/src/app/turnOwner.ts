/**
 * Which page runs the turn of a thread: the others show it, and one goes on where that page is gone. Pages of one browser
 * see each other by its locks; those of others are the server's to know.
 */

import type { TurnState } from "../api/replies";
import type { Turns } from "../chat/turn/turns";

const KEY = "comfyui-assistant.own-turns";
const LOOK_MS = 1500;
const UNNAMED_MS = 100;
const MOST_LOOKS = 60;
/** Where the browser has none, the server alone tells whose turn it is. */
const NO_LOCK: Lock = { name: "", mode: "exclusive" };

export interface TurnOwner {
  /** Takes the thread's turn again where this page ran it before it was loaded anew, and no other one does now. */
  takeBack(thread: string): Promise<boolean>;
  /** Whether the server knows another page, maybe of another browser, that makes the calls of the thread's turn. */
  isOfAnotherPage(thread: string): Promise<boolean>;
  /**
   * Waits for the page to go that runs the thread's turn, to take that. Tells how far the turn is where the page is
   * another browser's, and returns what ends the waiting.
   */
  succeed(thread: string, onState: (state: TurnState) => Promise<void>): () => void;
}

interface Page extends Pick<EventTarget, "addEventListener"> {
  locks: Pick<LockManager, "request"> | undefined;
  storage: Pick<Storage, "getItem" | "setItem">;
  /** Asks the server, which gives the turn to one page only. */
  claim(thread: string): Promise<TurnState | undefined>;
}

/** A page that is gone in whatever way has lost its locks. Browsers have them for safe addresses only, such as localhost. */
export function createTurnOwner(
  { phases, isWatched, hear, takeOver }: Pick<Turns, "phases" | "isWatched" | "hear" | "takeOver">,
  { locks, storage, addEventListener, claim }: Page,
  lookEvery = LOOK_MS,
): TurnOwner {
  const held = new Map<string, () => void>();
  const before = storage.getItem(KEY)?.split(" ");
  const ask = (thread: string, ifAvailable: boolean, onLock: (lock: Lock | null) => unknown) =>
    locks?.request(`${KEY} ${thread}`, { ifAvailable }, onLock);
  const hold = (thread: string) => new Promise<void>((release) => held.set(thread, release));

  phases.subscribe(() => {
    const running = phases.get();
    for (const [thread, release] of held) {
      if (running.has(thread)) continue;
      held.delete(thread);
      release();
    }
    for (const thread of running.keys())
      if (!held.has(thread) && !isWatched(thread)) {
        const over = hold(thread);
        void ask(thread, false, () => over);
      }
  });
  addEventListener("pagehide", () => {
    try {
      storage.setItem(KEY, [...held.keys()].join(" "));
    } catch {}
  });

  return {
    takeBack: (thread) =>
      new Promise((resolve) => {
        if (!locks || !before?.includes(thread)) return resolve(false);
        void ask(thread, true, (lock) => {
          resolve(lock !== null);
          return lock && hold(thread);
        });
      }),
    async isOfAnotherPage(thread) {
      // A page that was loaded just now has no name yet by which it could ask.
      for (let look = 0; look < MOST_LOOKS; look++) {
        const state = await claim(thread);
        if (state) return !state.isOver && !state.isMine;
        await new Promise((resolve) => setTimeout(resolve, UNNAMED_MS));
      }
      return false;
    },
    succeed(thread, onState) {
      let isWaiting = true;
      let isLooking = false;
      const look = async (lock: Lock | null) => {
        if (lock === null || isLooking) return;
        isLooking = true;
        try {
          const state = await claim(thread);
          if (!state || !isWaiting) return;
          await onState(state);
          if (!state.isMine || !isWaiting) return;
          for (const [call, note] of Object.entries(state.begun)) hear(call, note ?? undefined);
          const over = hold(thread);
          stop();
          takeOver(thread);
          return over;
        } finally {
          isLooking = false;
        }
      };
      const timer = setInterval(() => (locks ? ask(thread, true, look) : look(NO_LOCK)), lookEvery);
      const stop = () => {
        isWaiting = false;
        clearInterval(timer);
      };
      return stop;
    },
  };
}
