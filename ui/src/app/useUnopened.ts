import { useAui } from "@assistant-ui/react";
import { useEffect, useEffectEvent } from "react";
import { useChatEnvironment } from "../chat/chatContext";
import type { ComposerNotice } from "../chat/composer/composerNotice";
import type { UnopenedThread } from "../chat/threads/threadList";
import { useStore } from "../shared/store";

const GONE =
  "The chat that was to be opened does not exist any more; it may have been deleted in another tab.";

/** Says of a thread that it could not be opened; what was typed in one that is gone is kept in the new one. */
export function useUnopened(tell: (notice: ComposerNotice) => void): void {
  const aui = useAui();
  const { unopened, drafts } = useChatEnvironment();
  const failed = useStore(unopened);
  const onFailed = useEffectEvent(({ id, details }: UnopenedThread) => {
    unopened.set(undefined);
    const isGone = details.code === "unknown_thread";
    tell({ kind: "hint", text: isGone ? GONE : details.message });
    const composer = aui.thread.composer();
    const typed = drafts.read(id);
    if (!isGone || !typed || composer.getState().text) return;
    composer.setText(typed);
    drafts.write(id, "");
  });
  useEffect(() => {
    if (failed) onFailed(failed);
  }, [failed]);
}
