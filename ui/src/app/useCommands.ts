import { useAui } from "@assistant-ui/react";
import { useCallback, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import type { ErrorDetails } from "../api/errors";
import { useChatEnvironment } from "../chat/chatContext";
import type { Submission } from "../chat/composer/Composer";
import type { ComposerNotice } from "../chat/composer/composerNotice";
import { UNSENT_THREAD } from "../chat/composer/drafts";
import { useFailedSend } from "../chat/composer/useFailedSend";
import type { PanelView } from "./panelView";
import { submissionOf } from "./submission";
import type { ThreadContexts } from "./threadContexts";
import { useThreadActions } from "./useThreadActions";

/** Carries out what is typed into the composer, and holds what there is to say about it: a notice, or the help. */
export function useCommands(
  api: AssistantApi,
  contexts: ThreadContexts,
  onView: (view: PanelView | undefined) => void,
  /** Somebody else may answer from now on. */
  onAnswerer: () => void,
) {
  const aui = useAui();
  const { drafts } = useChatEnvironment();
  const [notice, setNotice] = useState<ComposerNotice>();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [focusRequests, setFocusRequests] = useState(0);
  const perform = useThreadActions(api.context, contexts, setNotice, onAnswerer);
  useFailedSend(useCallback((details: ErrorDetails) => setNotice({ kind: "error", details }), []));

  function dismiss() {
    setHelpOpen(false);
    setNotice(undefined);
  }

  function backToChat() {
    onView(undefined);
    dismiss();
    setFocusRequests((previous) => previous + 1);
  }

  function newChat(text = ""): string {
    const isNew = aui.threadListItem.getState().status === "new";
    const isUnused = isNew && aui.thread.getState().messages.length === 0;
    backToChat();
    if (isUnused) return text;
    // Until a chat is made for its first message, assistant-ui goes to that very chat.
    if (isNew) void aui.threadListItem.initialize().catch(() => {});
    if (text) drafts.write(UNSENT_THREAD, text);
    aui.threads.switchToNewThread();
    return "";
  }

  function submit(text: string): Submission {
    dismiss();
    return submissionOf(text, { showHelp: () => setHelpOpen(true), newChat, show: onView, perform });
  }

  return {
    notice,
    setNotice,
    isHelpOpen,
    closeHelp: () => setHelpOpen(false),
    /** Changes each time the composer should take the focus. */
    focusRequests,
    dismiss,
    backToChat,
    newChat,
    submit,
    perform,
  };
}
