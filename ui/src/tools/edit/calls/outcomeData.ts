import type { Json } from "../../../graph/graph";
import type { BatchDone } from "../batch";
import { changesData } from "../outcome";

/** For results: what became different, what is to be done yet, and what the person changed meanwhile. */
export function outcomeData(done: BatchDone): { [field: string]: Json } {
  const { stillUnconnected, notChosen, unchanged, news, open } = done;
  return {
    changes: changesData(done, open),
    ...(stillUnconnected.length > 0 && { stillUnconnected }),
    ...(notChosen.length > 0 && { notChosen }),
    ...(unchanged.length > 0 && { unchanged }),
    ...(news.lines.length > 0 && { changedByTheUser: news.lines }),
  };
}
