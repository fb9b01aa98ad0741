import { z } from "zod";

export interface ListedThread {
  readonly id: string;
  readonly title?: string | undefined;
  readonly lastMessageAt?: Date | undefined;
  readonly isRunning: boolean;
  readonly custom?: Record<string, unknown> | undefined;
}

const details = z.object({
  pinned: z.boolean().default(false),
  expiresAt: z.date().nullish(),
  workflow: z.string().nullish(),
});

/** What the server knows of a thread besides its name and time. */
export type ThreadDetails = z.infer<typeof details>;

export function detailsOfThread({ custom }: Pick<ListedThread, "custom">): ThreadDetails {
  return details.safeParse(custom ?? {}).data ?? { pinned: false };
}

/**
 * Pinned ones first, then newest first; a chat that was begun on this page, and has no time yet, comes before all
 * others of its kind.
 */
export function inOrder<Thread extends ListedThread>(threads: readonly Thread[]): Thread[] {
  const time = ({ lastMessageAt }: Thread) => lastMessageAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const rank = (thread: Thread) => (detailsOfThread(thread).pinned ? 0 : 1);
  return threads.toSorted((one, other) => {
    if (rank(one) !== rank(other)) return rank(one) - rank(other);
    const [a, b] = [time(one), time(other)];
    return a === b ? 0 : b - a;
  });
}
