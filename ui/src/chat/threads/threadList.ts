import type { RemoteThreadListAdapter } from "@assistant-ui/react";
import { createAssistantStream } from "assistant-stream";
import type { AssistantApi } from "../../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../../api/errors";
import type { Store } from "../../shared/store";
import { detailsOfThread, type ThreadDetails } from "./threadOrder";

interface Listed extends Partial<ThreadDetails> {
  id: string;
  title?: string | null | undefined;
  updatedAt?: Date;
}

/** A thread that is not in the list and that the server did not give. */
export interface UnopenedThread {
  id: string;
  details: ErrorDetails;
}

/**
 * The server's threads as assistant-ui's thread list. Titles are the server's too. assistant-ui shows a change at once
 * and takes it back when it fails, without a word: `failure` has the word, and `unopened` that of a thread that stays shut.
 */
export function createThreadList(
  api: AssistantApi,
  failure: Store<ErrorDetails | undefined>,
  unopened: Store<UnopenedThread | undefined>,
): RemoteThreadListAdapter {
  const noArchive = async () => {
    throw new Error("Threads are deleted, not archived.");
  };
  async function told(change: Promise<void>) {
    try {
      await change;
      failure.set(undefined);
    } catch (error) {
      failure.set(detailsOf(error));
      throw error;
    }
  }
  // A list that was asked for before a chat was deleted may arrive after it.
  const deleted = new Set<string>();
  async function deleteThread(id: string) {
    deleted.add(id);
    try {
      await api.deleteThread(id);
    } catch (error) {
      deleted.delete(id);
      throw error;
    }
  }
  return {
    // A thread without messages is what a first message left that never arrived.
    list: async () => ({
      threads: (await api.threads())
        .filter(({ id, messageCount }) => messageCount > 0 && !deleted.has(id))
        .map(metadata),
    }),
    async fetch(id) {
      try {
        return metadata(await api.thread(id, 1));
      } catch (error) {
        unopened.set({ id, details: detailsOf(error) });
        throw error;
      }
    },
    initialize: async () => ({ remoteId: (await api.createThread()).id, externalId: undefined }),
    rename: (id, title) => told(api.renameThread(id, title)),
    delete: (id) => told(deleteThread(id)),
    updateCustom: (id, custom) => told(api.pinThread(id, detailsOfThread({ custom }).pinned)),
    archive: noArchive,
    unarchive: noArchive,
    generateTitle: async (id) => {
      const { title } = await api.thread(id, 1);
      return createAssistantStream((controller) => {
        if (title) controller.appendText(title);
      });
    },
  };
}

function metadata({
  id,
  title,
  updatedAt,
  pinned,
  expiresAt,
  workflow,
}: Listed): Awaited<ReturnType<RemoteThreadListAdapter["fetch"]>> {
  return {
    status: "regular",
    remoteId: id,
    title: title ?? undefined,
    lastMessageAt: updatedAt,
    custom: { pinned, expiresAt, workflow },
  };
}
