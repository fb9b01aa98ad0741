import { useAui, useAuiState } from "@assistant-ui/react";
import { useEffect } from "react";
import { useChatEnvironment } from "./chatContext";
import { UNSENT_THREAD } from "./drafts";

/** Keeps the composer's text of each thread through reloads. */
export function useDraft() {
  const aui = useAui();
  const { drafts } = useChatEnvironment();
  const localId = useAuiState(({ threadListItem }) => threadListItem.id);
  const key = useAuiState(({ threadListItem }) => threadListItem.remoteId ?? UNSENT_THREAD);
  const text = useAuiState(({ thread }) => thread.composer.text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is read once, when its thread comes up
  useEffect(() => {
    const draft = drafts.read(key);
    if (draft && !aui.thread.composer().getState().text) aui.thread.composer().setText(draft);
  }, [localId]);
  useEffect(() => drafts.write(key, text), [drafts, key, text]);
}
