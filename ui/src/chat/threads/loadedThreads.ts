import type { ErrorDetails } from "../../api/errors";
import { amountOf } from "../../shared/amounts";
import { createKeyedStore, type KeyedStore } from "../../shared/store";

/** What the panel knows of a thread besides its messages. */
export interface LoadedThread {
  /** How many of the newest messages to ask for. */
  tail: number;
  /** How many the thread has on the server, and how many of them were loaded. */
  total?: number;
  loaded?: number;
  loadError?: ErrorDetails;
  /** Why parts of it could not be read, one reason each. */
  damaged?: readonly string[];
}

export const FIRST_TAIL = 60;

export type LoadedThreads = KeyedStore<LoadedThread>;

export function createLoadedThreads(): LoadedThreads {
  return createKeyedStore<LoadedThread>();
}

/** "2 entries of this chat could not be read (…). All others are here." */
export function describeDamage({ damaged = [] }: LoadedThread): string | undefined {
  if (damaged.length === 0) return undefined;
  const reasons = [...new Set(damaged)].slice(0, 3).join("; ");
  return `${amountOf(damaged.length, "entry", "entries")} of this chat could not be read (${reasons}). All others are here.`;
}

export function hasEarlierMessages(record: LoadedThread | undefined): boolean {
  return (record?.total ?? 0) > (record?.loaded ?? 0);
}
