/** The order in which a page makes the calls of all chats. */

import type { KeyedStore } from "../shared/store";
import { createTaskQueue } from "../shared/taskQueue";

interface Call {
  thread: string | undefined;
  /** Whether it leaves the open workflow as it is. */
  isReading: boolean;
  /** Hears whether a question of another chat holds it up. */
  onHeld(isHeld: boolean): void;
}

/**
 * One after the other; what only reads does not wait for an answer to the question of another chat. `questions` are those
 * that wait, by their calls.
 */
export function createCallOrder(
  questions: Pick<KeyedStore<unknown>, "get" | "subscribe">,
  threadOf: (call: string) => string | undefined,
) {
  const inOrder = createTaskQueue();
  /** By chat, when its newest call has ended. */
  const ends = new Map<string | undefined, Promise<void>>();

  return async <Result>(
    { thread, isReading, onHeld }: Call,
    task: () => Promise<Result>,
  ): Promise<Result> => {
    const before = ends.get(thread) ?? Promise.resolve();
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    ends.set(thread, ended);
    let isWaiting = true;
    let isNext = false;
    let stopLooking = () => {};
    await new Promise<void>((begin) => {
      const look = () => {
        if (!isWaiting) return;
        const isHeld = [...questions.get().keys()].some((call) => threadOf(call) !== thread);
        if (isHeld && isNext && isReading) begin();
        else onHeld(isHeld);
      };
      stopLooking = questions.subscribe(look);
      void inOrder(() => {
        begin();
        return ended;
      });
      look();
      void before.then(() => {
        isNext = true;
        look();
      });
    });
    isWaiting = false;
    stopLooking();
    onHeld(false);
    return task().finally(end);
  };
}
