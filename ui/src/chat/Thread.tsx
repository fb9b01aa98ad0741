import { ThreadPrimitive, useAui, useAuiState } from "@assistant-ui/react";
import type { KeyboardEvent, ReactNode } from "react";
import { useKeyed } from "../shared/store";
import { Button } from "../ui/Button";
import { IconButton } from "../ui/IconButton";
import { AlertIcon, ArrowDownIcon } from "../ui/icons";
import { useChatEnvironment } from "./chatContext";
import { AssistantMessage } from "./messages/AssistantMessage";
import { ErrorNote } from "./messages/ErrorNote";
import { UserMessage, UserMessageEditor } from "./messages/UserMessage";
import { type Unshown, useReveal } from "./messages/useReveal";
import { describeDamage, FIRST_TAIL, hasEarlierMessages } from "./threads/loadedThreads";
import { useBranchUpkeep } from "./threads/useBranchUpkeep";
import { useThreadId } from "./threads/useThreadId";
import { useIsWaitingForPerson } from "./turn/useIsWaitingForPerson";
import { useStopTurn, useTurnIsRunning } from "./turn/useTurn";

const whyUnshown: Record<Unshown, string> = {
  "in another version":
    "That message is in another version of this chat. Use ‹ › at an edited message or another answer.",
  earlier:
    "The message that was found is further up: “Show earlier messages” brings it when this turn is over.",
};

const messages = { UserMessage, AssistantMessage, UserEditComposer: UserMessageEditor };

interface Props {
  /** Shown while nothing has been said. */
  empty: ReactNode;
  /** Shown after the last message. */
  note: ReactNode;
  composer: ReactNode;
  /** Escape was pressed while nothing is being answered. */
  onEscape(): void;
}

export function Thread({ empty, note, composer, onEscape }: Props) {
  const isEmpty = useAuiState(({ thread }) => thread.messages.length === 0 && !thread.isLoading);
  const threadId = useThreadId();
  const { loadedThreads } = useChatEnvironment();
  useBranchUpkeep();
  const unshown = useReveal();
  const loadError = useKeyed(loadedThreads, threadId)?.loadError;
  const running = useTurnIsRunning();
  const stop = useStopTurn();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isDefaultPrevented() || event.nativeEvent.isComposing) return;
    if (running) stop();
    else onEscape();
  };
  return (
    <ThreadPrimitive.Root className="cass-thread" onKeyDown={onKeyDown}>
      {isEmpty ? (
        // A viewport keeps to its end; what is said first is read from its beginning.
        <section className="cass-viewport" aria-label="New chat">
          <div className="cass-column">{note || empty}</div>
        </section>
      ) : (
        <ThreadPrimitive.Viewport
          className="cass-viewport"
          role="log"
          aria-label="Conversation"
          aria-live="off"
          tabIndex={0}
        >
          <div className="cass-column">
            {loadError ? (
              <LoadFailure />
            ) : (
              <>
                <Damage />
                <EarlierMessages />
                <ThreadPrimitive.Messages components={messages} />
              </>
            )}
            {unshown && (
              <p className="cass-notice" role="status">
                <AlertIcon />
                <span>{whyUnshown[unshown]}</span>
              </p>
            )}
            {note}
          </div>
          <ThreadPrimitive.ScrollToBottom asChild behavior="auto">
            <IconButton label="Jump to the latest" className="cass-jump">
              <ArrowDownIcon />
            </IconButton>
          </ThreadPrimitive.ScrollToBottom>
        </ThreadPrimitive.Viewport>
      )}
      {composer}
      <Announcement />
    </ThreadPrimitive.Root>
  );
}

function Damage() {
  const { loadedThreads } = useChatEnvironment();
  const record = useKeyed(loadedThreads, useThreadId());
  const text = record && describeDamage(record);
  return text ? (
    <p className="cass-notice">
      <AlertIcon />
      <span>{text}</span>
    </p>
  ) : null;
}

function EarlierMessages() {
  const aui = useAui();
  const { loadedThreads } = useChatEnvironment();
  const threadId = useThreadId();
  const running = useTurnIsRunning();
  const record = useKeyed(loadedThreads, threadId);
  if (threadId === undefined || !record || !hasEarlierMessages(record)) return null;
  const load = () => {
    loadedThreads.put(threadId, { tail: record.tail + 2 * FIRST_TAIL });
    void aui.threads.reloadMainThread();
  };
  return (
    <Button className="cass-earlier" disabled={running} onClick={load}>
      Show earlier messages ({(record.total ?? 0) - (record.loaded ?? 0)})
    </Button>
  );
}

function LoadFailure() {
  const aui = useAui();
  const { loadedThreads } = useChatEnvironment();
  const threadId = useThreadId();
  const details = useKeyed(loadedThreads, threadId)?.loadError;
  if (threadId === undefined || !details) return null;
  const retry = () => {
    loadedThreads.put(threadId, undefined);
    void aui.threads.reloadMainThread();
  };
  return <ErrorNote details={details} onRetry={retry} />;
}

/** For screen readers: the streaming text itself would be read over and over. */
function Announcement() {
  const running = useTurnIsRunning();
  const isAsking = useIsWaitingForPerson(useThreadId());
  const answered = useAuiState(({ thread }) => thread.messages.at(-1)?.role === "assistant");
  return (
    <span className="cass-visually-hidden" role="status">
      {isAsking
        ? "The assistant asks for your permission."
        : running
          ? "The assistant is answering."
          : answered
            ? "The assistant has answered."
            : ""}
    </span>
  );
}
