import { useAui } from "@assistant-ui/react";
import { type KeyboardEvent, useState } from "react";
import { detailsOf } from "../../api/errors";
import { relativeTime } from "../../shared/relativeTime";
import { saveFile } from "../../shared/saveFile";
import { Button } from "../../ui/Button";
import { Confirmation } from "../../ui/Confirmation";
import { Field } from "../../ui/Field";
import { IconButton } from "../../ui/IconButton";
import { DownloadIcon, PencilIcon, PinIcon, TrashIcon } from "../../ui/icons";
import { useChatEnvironment } from "../chatContext";
import { useIsWaitingForPerson } from "../turn/useIsWaitingForPerson";
import { useTurnIsRunningIn } from "../turn/useTurn";
import { detailsOfThread, type ListedThread } from "./threadOrder";

type Mode = "shown" | "renaming" | "deleting";

interface Props {
  thread: ListedThread & { readonly remoteId?: string | undefined };
  current: boolean;
  onOpened(): void;
}

export function ChatListItem({ thread, current, onOpened }: Props) {
  const aui = useAui();
  const { exportThread, listFailure } = useChatEnvironment();
  const isWaiting = useIsWaitingForPerson(thread.remoteId);
  const isRunning = useTurnIsRunningIn(thread.remoteId, thread.isRunning);
  const [mode, setMode] = useState<Mode>("shown");
  const { pinned, expiresAt } = detailsOfThread(thread);
  const title = thread.title || "New chat";
  const item = () => aui.threads.item({ id: thread.id });
  const pin = (isPinned: boolean) => item().updateCustom({ ...detailsOfThread(thread), pinned: isPinned });
  const rename = (next: string) => {
    setMode("shown");
    if (next.trim() && next.trim() !== title) item().rename(next.trim());
  };
  async function save(id: string) {
    try {
      saveFile(`${fileName(title)}.json`, await exportThread(id));
    } catch (error) {
      listFailure.set(detailsOf(error));
    }
  }
  if (mode === "renaming")
    return (
      <li className="cass-chat-item">
        <Rename title={title} onDone={rename} />
      </li>
    );
  if (mode === "deleting")
    return (
      <li className="cass-chat-item">
        <Confirmation
          question={`Delete “${title}”?`}
          about="Notes in Memory are kept."
          onDelete={() => void item().delete()}
          onKeep={() => setMode("shown")}
        />
      </li>
    );
  const { remoteId } = thread;
  return (
    <li className="cass-chat-entry">
      <div className="cass-chat-item" data-current={current || undefined}>
        {pinned && (
          <span className="cass-chat-pinned" role="img" aria-label="Pinned">
            <PinIcon />
          </span>
        )}
        <Button
          look="line"
          className="cass-chat-open"
          title={title}
          aria-current={current || undefined}
          onClick={() => {
            item().switchTo();
            onOpened();
          }}
        >
          <span className="cass-chat-title">{title}</span>
        </Button>
        <span className="cass-chat-end">
          <span className="cass-chat-time" data-waiting={isWaiting || undefined}>
            {isWaiting
              ? "waiting for you"
              : isRunning
                ? "answering…"
                : thread.lastMessageAt && relativeTime(thread.lastMessageAt, new Date())}
          </span>
          <span className="cass-chat-actions">
            {remoteId !== undefined && (
              <>
                <IconButton
                  label={pinned ? `Unpin “${title}”` : `Pin “${title}”`}
                  aria-pressed={pinned}
                  onClick={() => pin(!pinned)}
                >
                  <PinIcon />
                </IconButton>
                <IconButton label={`Export “${title}”`} onClick={() => void save(remoteId)}>
                  <DownloadIcon />
                </IconButton>
              </>
            )}
            <IconButton label={`Rename “${title}”`} onClick={() => setMode("renaming")}>
              <PencilIcon />
            </IconButton>
            <IconButton label={`Delete “${title}”`} onClick={() => setMode("deleting")}>
              <TrashIcon />
            </IconButton>
          </span>
        </span>
      </div>
      {expiresAt && !pinned && (
        <p className="cass-chat-expiry">
          will be removed on {expiresAt.toLocaleDateString("en", { day: "numeric", month: "long" })} ·{" "}
          <Button look="link" onClick={() => pin(true)}>
            Keep
          </Button>
        </p>
      )}
    </li>
  );
}

/** A title without what file systems refuse. */
function fileName(title: string): string {
  return (
    title
      .replaceAll(/[^\p{L}\p{N} ._-]+/gu, " ")
      .trim()
      .slice(0, 60) || "chat"
  );
}

function Rename({ title, onDone }: { title: string; onDone(title: string): void }) {
  const [text, setText] = useState(title);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") onDone(text);
    if (event.key === "Escape") {
      event.stopPropagation();
      onDone(title);
    }
  };
  return (
    <Field
      label="Name of the chat"
      isLabelHidden
      autoFocus
      value={text}
      onFocus={(event) => event.target.select()}
      onValue={setText}
      onBlur={() => onDone(text)}
      onKeyDown={onKeyDown}
    />
  );
}
