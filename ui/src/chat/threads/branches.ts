import type { Branch } from "../../api/replies";

/** The ways a conversation went after one of its messages, in the order in which they began. */
export interface Versions {
  branches: readonly Branch[];
  /** Which of them is shown, counted from 0. */
  shown: number;
}

/**
 * The versions of the shown message that follows `previousId` ("" for the first message), or undefined where there is
 * one only.
 *
 * Every branch that forks there is a version, and so is the way that its parent had gone.
 */
export function versionsAfter(branches: readonly Branch[], previousId: string): Versions | undefined {
  const forks = branches.filter(
    ({ parentId, forkMessageId, firstMessageId, isCurrent }) =>
      parentId !== null && forkMessageId === previousId && (firstMessageId !== "" || isCurrent),
  );
  const original = branches.find(({ id }) => id === forks[0]?.parentId);
  if (!original) return undefined;
  const versions = [original, ...forks];
  const shown = versions.findIndex(({ id }) => id === versionShown(branches, versions));
  return { branches: versions, shown: Math.max(0, shown) };
}

/** The current branch, or the nearest of those it came from, that is a version. */
function versionShown(branches: readonly Branch[], versions: readonly Branch[]): string | undefined {
  const byId = new Map(branches.map((branch) => [branch.id, branch]));
  const seen = new Set<Branch>();
  let branch = branches.find(({ isCurrent }) => isCurrent);
  while (branch && !versions.includes(branch) && !seen.has(branch)) {
    seen.add(branch);
    branch = branch.parentId === null ? undefined : byId.get(branch.parentId);
  }
  return branch?.id;
}
