import { useAui, useAuiState } from "@assistant-ui/react";
import { useState } from "react";
import { detailsOf } from "../../api/errors";
import { useKeyed } from "../../shared/store";
import { IconButton } from "../../ui/IconButton";
import { BackIcon, ChevronIcon } from "../../ui/icons";
import { useChatEnvironment } from "../chatContext";
import { versionsAfter } from "../threads/branches";
import { useIsOldestOfPartialThread } from "../threads/useIsOldestOfPartialThread";
import { useThreadId } from "../threads/useThreadId";
import { useTurnIsRunning } from "../turn/useTurn";

/** "‹ 2/3 ›" on a message of which there are several versions, after an edit or another answer. */
export function BranchPicker() {
  const aui = useAui();
  const { branches } = useChatEnvironment();
  const threadId = useThreadId();
  const previousId = useAuiState(({ thread, message }) => thread.messages[message.index - 1]?.id ?? "");
  const known = useKeyed(branches.known, threadId);
  const running = useTurnIsRunning();
  const isOldest = useIsOldestOfPartialThread();
  const [failure, setFailure] = useState<string>();
  const versions = known && !isOldest ? versionsAfter(known, previousId) : undefined;
  if (!versions || threadId === undefined) return null;
  const { shown, branches: ways } = versions;
  function go(step: 1 | -1) {
    const way = ways[shown + step];
    if (!way || threadId === undefined) return;
    setFailure(undefined);
    branches.switchTo(threadId, way.id).then(
      () => aui.threads.reloadMainThread(),
      (error: unknown) => setFailure(detailsOf(error).message),
    );
  }
  return (
    <fieldset className="cass-branches" aria-label="Versions of this message">
      <IconButton
        label="Previous version"
        title={ways[shown - 1]?.preview || "Previous version"}
        disabled={running || shown === 0}
        onClick={() => go(-1)}
      >
        <BackIcon />
      </IconButton>
      <span>
        {shown + 1}/{ways.length}
      </span>
      <IconButton
        label="Next version"
        title={ways[shown + 1]?.preview || "Next version"}
        disabled={running || shown === ways.length - 1}
        onClick={() => go(1)}
      >
        <ChevronIcon />
      </IconButton>
      {failure && <span role="alert">{failure}</span>}
    </fieldset>
  );
}
