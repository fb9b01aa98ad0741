import { detailsOfThread, inOrder, type ListedThread } from "./threadOrder";

/** "workflows/cats/portrait.json" as "portrait". */
export function nameOfFile(file: string): string {
  return file.replace(/^.*\//, "").replace(/\.json$/i, "");
}

/** Those about a workflow file, in their order. `newer` has what this page knows of threads before the list does. */
export function chatsOfFile<Thread extends ListedThread & { readonly remoteId?: string | undefined }>(
  threads: readonly Thread[],
  file: string,
  newer: ReadonlyMap<string, string>,
): Thread[] {
  const fileOf = (thread: Thread) => newer.get(thread.remoteId ?? "") ?? detailsOfThread(thread).workflow;
  return inOrder(threads.filter((thread) => fileOf(thread) === file));
}
