import type { RemoteThreadListAdapter } from "@assistant-ui/react";
import { createAssistantStream } from "assistant-stream";
import type { AssistantApi } from "../api/assistantApi";

interface ListedThread {
  id: string;
  title?: string | null | undefined;
  updatedAt?: Date;
}

/** The server's threads as assistant-ui's thread list. Titles are the server's too. */
export function createThreadList(api: AssistantApi): RemoteThreadListAdapter {
  const noArchive = async () => {
    throw new Error("Threads are deleted, not archived.");
  };
  return {
    // A thread without messages is what a first message left that never arrived.
    list: async () => ({
      threads: (await api.threads()).filter(({ messageCount }) => messageCount > 0).map(metadata),
    }),
    fetch: async (id) => metadata(await api.thread(id, 1)),
    initialize: async () => ({ remoteId: (await api.createThread()).id, externalId: undefined }),
    rename: (id, title) => api.renameThread(id, title),
    delete: (id) => api.deleteThread(id),
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
}: ListedThread): Awaited<ReturnType<RemoteThreadListAdapter["fetch"]>> {
  return {
    status: "regular",
    remoteId: id,
    title: title ?? undefined,
    lastMessageAt: updatedAt,
  };
}
