/** Which page of this browser runs the turn of a thread: the others show it, and one goes on where that page is gone. */

import type { Turns } from "../chat/turns";

const KEY = "comfyui-assistant.own-turns";
const LOOK_MS = 1500;
/** A page that is loaded anew goes on with its own turn before another one takes it. */
const LOOKS = 6;

export interface TurnOwner {
  /** Takes the thread's turn again where this page ran it before it was loaded anew, and no other one does now. */
  takeBack(thread: string): Promise<boolean>;
  /** Waits for the page to go that runs the thread's turn, and takes that; returns what ends the waiting. */
  succeed(thread: string): () => void;
}

interface Page extends Pick<EventTarget, "addEventListener"> {
  locks: Pick<LockManager, "request"> | undefined;
  storage: Pick<Storage, "getItem" | "setItem">;
}

/** A page that is gone in whatever way has lost its locks. Browsers have them for safe addresses only, such as localhost. */
export function createTurnOwner(
  { phases, isWatched, takeOver }: Pick<Turns, "phases" | "isWatched" | "takeOver">,
  { locks, storage, addEventListener }: Page,
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
    succeed(thread) {
      let looks = 0;
      let isWaiting = true;
      const look = (lock: Lock | null) => {
        looks = lock ? looks + 1 : 0;
        if (looks < LOOKS || !isWaiting) return;
        const over = hold(thread);
        stop();
        takeOver(thread);
        return over;
      };
      const timer = setInterval(() => ask(thread, true, look), lookEvery);
      const stop = () => {
        isWaiting = false;
        clearInterval(timer);
      };
      return stop;
    },
  };
}
