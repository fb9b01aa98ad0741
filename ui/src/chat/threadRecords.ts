import type { ErrorDetails } from "../api/errors";
import { createKeyedStore, type KeyedStore } from "../shared/store";

/** What the panel knows of a thread besides its messages. */
export interface ThreadRecord {
  /** How many of the newest messages to ask for. */
  tail: number;
  /** How many the thread has on the server, and how many of them were loaded. */
  total?: number;
  loaded?: number;
  loadError?: ErrorDetails;
}

export const FIRST_TAIL = 60;

export type ThreadRecords = KeyedStore<ThreadRecord>;

export function createThreadRecords(): ThreadRecords {
  return createKeyedStore<ThreadRecord>();
}

export function hasEarlierMessages(record: ThreadRecord | undefined): boolean {
  return (record?.total ?? 0) > (record?.loaded ?? 0);
}
