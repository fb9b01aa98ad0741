export interface ListedThread {
  readonly id: string;
  readonly title?: string | undefined;
  readonly lastMessageAt?: Date | undefined;
  readonly isRunning: boolean;
}

/** Newest first; a chat that was begun on this page, and has no time yet, comes before all others. */
export function byNewest<Thread extends ListedThread>(threads: readonly Thread[]): Thread[] {
  const time = ({ lastMessageAt }: Thread) => lastMessageAt?.getTime() ?? Number.POSITIVE_INFINITY;
  return threads.toSorted((one, other) => {
    const [a, b] = [time(one), time(other)];
    return a === b ? 0 : b - a;
  });
}
