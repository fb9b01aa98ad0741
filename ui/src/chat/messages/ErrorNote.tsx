import { useAui } from "@assistant-ui/react";
import type { ErrorDetails } from "../../api/errors";
import { Button } from "../../ui/Button";
import { FreeMemory } from "../../ui/FreeMemory";
import { IconButton } from "../../ui/IconButton";
import { AlertIcon, CloseIcon } from "../../ui/icons";
import { PressOnce } from "../../ui/PressOnce";
import { useChatEnvironment } from "../chatContext";
import { filesOfComposer } from "../composer/attachedFile";
import { UNSENT_THREAD } from "../composer/drafts";
import { useThreadId } from "../threads/useThreadId";
import { errorActions } from "./errorActions";

interface Props {
  details: ErrorDetails;
  onRetry?: (() => void) | undefined;
  onDismiss?: (() => void) | undefined;
}

/** What went wrong, and the buttons that may put it right. */
export function ErrorNote({ details, onRetry, onDismiss }: Props) {
  const aui = useAui();
  const threadId = useThreadId();
  const { openSettings, openModels, freeMemory, stopElsewhere, drafts } = useChatEnvironment();
  const offered = errorActions(details);
  /** What was typed goes along. */
  const newChat = () => {
    const { text, attachments } = aui.thread.composer().getState();
    if (text) drafts.write(UNSENT_THREAD, text);
    if (attachments.length > 0) drafts.writeFiles(UNSENT_THREAD, filesOfComposer(attachments));
    aui.threads.switchToNewThread();
  };
  return (
    <div className="cass-error" role="alert" data-code={details.code}>
      <AlertIcon />
      <div className="cass-error-text">
        <p>{details.message}</p>
        {details.hint && <p className="cass-quiet">{details.hint}</p>}
      </div>
      <div className="cass-error-actions">
        {offered.settings && openSettings && <Button onClick={openSettings}>Open settings</Button>}
        {offered.models && <Button onClick={openModels}>Choose a model</Button>}
        {offered.newChat && <Button onClick={newChat}>New chat</Button>}
        {offered.freeMemory && <FreeMemory free={freeMemory} />}
        {offered.stop && threadId !== undefined && (
          <PressOnce label="Stop it" done="Stopped; send it again." run={() => stopElsewhere(threadId)} />
        )}
        {offered.retry && onRetry && <Button onClick={onRetry}>Retry</Button>}
        {onDismiss && (
          <IconButton label="Dismiss" onClick={onDismiss}>
            <CloseIcon />
          </IconButton>
        )}
      </div>
    </div>
  );
}
