import { useAui, useAuiState } from "@assistant-ui/react";
import { useEffect } from "react";
import { filesOfComposer } from "./attachedFile";
import { textOf } from "./backIntoComposer";
import { useChatEnvironment } from "./chatContext";
import { UNSENT_THREAD } from "./drafts";

/** Keeps the composer's text and files of each thread through reloads. */
export function useDraft() {
  const aui = useAui();
  const { drafts } = useChatEnvironment();
  const localId = useAuiState(({ threadListItem }) => threadListItem.id);
  const key = useAuiState(({ threadListItem }) => threadListItem.remoteId ?? UNSENT_THREAD);
  const text = useAuiState(({ thread }) => thread.composer.text);
  const attachments = useAuiState(({ thread }) => thread.composer.attachments);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is read once, when its thread comes up
  useEffect(() => {
    const composer = aui.thread.composer();
    const now = composer.getState();
    const draft = drafts.read(key);
    if (draft && !now.text) composer.setText(draft);
    if (now.attachments.length === 0)
      for (const file of drafts.readFiles(key)) void composer.addAttachment(file).catch(() => {});
  }, [localId]);
  // A page that is loaded anew breaks off the request that it has just made, which counts as failed.
  const isLoading = useAuiState(({ thread }) => thread.isLoading);
  useEffect(() => {
    if (isLoading || !drafts.takenBack()) return;
    const sent = aui.thread.getState().messages.find(({ id }) => id === drafts.takenBack());
    const composer = aui.thread.composer();
    if (!sent || textOf(sent.content) !== composer.getState().text) return;
    drafts.takeBack("");
    composer.setText("");
    void composer.clearAttachments();
  }, [aui, drafts, isLoading]);
  useEffect(() => drafts.write(key, text), [drafts, key, text]);
  useEffect(() => drafts.writeFiles(key, filesOfComposer(attachments)), [drafts, key, attachments]);
}
