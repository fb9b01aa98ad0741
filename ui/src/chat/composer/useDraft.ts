import { useAui, useAuiState } from "@assistant-ui/react";
import { useEffect, useRef } from "react";
import { useKeyed } from "../../shared/store";
import { useChatEnvironment } from "../chatContext";
import { filesOfComposer } from "./attachedFile";
import { backIntoComposer, textOf } from "./backIntoComposer";
import { UNSENT_THREAD } from "./drafts";

/**
 * Keeps the composer's text and files of each thread through reloads, and gives back what the page before was sending,
 * once the thread's messages are there and it is not among them.
 */
export function useDraft() {
  const aui = useAui();
  const { drafts, held, loadedThreads } = useChatEnvironment();
  const localId = useAuiState(({ threadListItem }) => threadListItem.id);
  const thread = useAuiState(({ threadListItem }) => threadListItem.remoteId);
  const key = thread ?? UNSENT_THREAD;
  const text = useAuiState(({ thread }) => thread.composer.text);
  const attachments = useAuiState(({ thread }) => thread.composer.attachments);
  const isRead = useKeyed(loadedThreads, thread) !== undefined || thread === undefined;
  const isLoaded = useAuiState(({ thread }) => !thread.isLoading) && isRead;
  const restored = useRef<string>(undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is read once, when its thread comes up
  useEffect(() => {
    if (!isLoaded || restored.current === localId) return;
    restored.current = localId;
    const composer = aui.thread.composer();
    const ids = new Set(aui.thread.getState().messages.map(({ id }) => id));
    const left = held.takeLeft(thread);
    for (const { id, parts } of left) {
      if (!ids.has(id)) continue;
      held.release(id);
      if (drafts.read(key) !== textOf(parts)) continue;
      drafts.write(key, "");
      drafts.writeFiles(key, []);
    }
    const now = composer.getState();
    const draft = drafts.read(key);
    if (draft && !now.text) composer.setText(draft);
    if (now.attachments.length === 0)
      for (const file of drafts.readFiles(key)) void composer.addAttachment(file).catch(() => {});
    for (const { id, parts, isDraft } of left) {
      if (ids.has(id) || isDraft) continue;
      backIntoComposer(aui, { parts });
      held.becomesDraft(id, thread);
    }
  }, [localId, isLoaded]);
  // What was just restored is not among what was rendered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever it changes
  useEffect(() => {
    if (restored.current !== localId) return;
    const { text, attachments } = aui.thread.composer().getState();
    drafts.write(key, text);
    drafts.writeFiles(key, filesOfComposer(attachments));
  }, [drafts, key, localId, isLoaded, text, attachments]);
}
