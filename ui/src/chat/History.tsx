import { useAui, useAuiState } from "@assistant-ui/react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { IconButton } from "../shared/IconButton";
import { CloseIcon, PencilIcon, TrashIcon } from "../shared/icons";
import { relativeTime } from "../shared/relativeTime";
import { byNewest, type ListedThread } from "./threadOrder";

/** Earlier chats: open, rename, delete. */
export function History({ onClose }: { onClose(): void }) {
  const aui = useAui();
  const items = useAuiState(({ threads }) => threads.threadItems);
  const ids = useAuiState(({ threads }) => threads.threadIds);
  const current = useAuiState(({ threads }) => threads.mainThreadId);
  const loading = useAuiState(({ threads }) => threads.isLoading);
  const failed = useAuiState(({ threads }) => threads.loadError !== undefined);
  useEffect(() => void aui.threads.reload(), [aui]);
  const listed = byNewest(items.filter(({ id }) => ids.includes(id)));
  return (
    <section
      className="cass-drawer"
      aria-label="Chats"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header className="cass-drawer-header">
        <h2>Chats</h2>
        <IconButton label="Close" onClick={onClose} autoFocus>
          <CloseIcon />
        </IconButton>
      </header>
      <ul className="cass-threads">
        {listed.map((thread) => (
          <HistoryItem key={thread.id} thread={thread} current={thread.id === current} onOpened={onClose} />
        ))}
      </ul>
      {listed.length === 0 && (
        <p className="cass-drawer-empty">
          {failed ? "The chats could not be loaded." : loading ? "Loading…" : "No chats yet."}
        </p>
      )}
    </section>
  );
}

type Mode = "shown" | "renaming" | "deleting";

function HistoryItem({
  thread,
  current,
  onOpened,
}: {
  thread: ListedThread;
  current: boolean;
  onOpened(): void;
}) {
  const aui = useAui();
  const [mode, setMode] = useState<Mode>("shown");
  const title = thread.title || "New chat";
  const item = () => aui.threads.item({ id: thread.id });
  const rename = (next: string) => {
    setMode("shown");
    if (next.trim() && next.trim() !== title) item().rename(next.trim());
  };
  if (mode === "renaming")
    return (
      <li className="cass-thread-item">
        <Rename title={title} onDone={rename} />
      </li>
    );
  if (mode === "deleting")
    return (
      <li className="cass-thread-item cass-confirm">
        <span className="cass-thread-title">Delete “{title}”?</span>
        <button type="button" className="cass-button cass-danger" onClick={() => item().delete()}>
          Delete
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the harmless answer is the one at hand */}
        <button type="button" className="cass-button" autoFocus onClick={() => setMode("shown")}>
          Keep
        </button>
      </li>
    );
  return (
    <li className="cass-thread-item" data-current={current || undefined}>
      <button
        type="button"
        className="cass-thread-open"
        aria-current={current || undefined}
        onClick={() => {
          item().switchTo();
          onOpened();
        }}
      >
        <span className="cass-thread-title">{title}</span>
        <span className="cass-thread-time">
          {thread.isRunning
            ? "answering…"
            : thread.lastMessageAt && relativeTime(thread.lastMessageAt, new Date())}
        </span>
      </button>
      <span className="cass-thread-actions">
        <IconButton label={`Rename “${title}”`} onClick={() => setMode("renaming")}>
          <PencilIcon />
        </IconButton>
        <IconButton label={`Delete “${title}”`} onClick={() => setMode("deleting")}>
          <TrashIcon />
        </IconButton>
      </span>
    </li>
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
    <input
      className="cass-field"
      aria-label="Name of the chat"
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
      autoFocus
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onDone(text)}
      onKeyDown={onKeyDown}
    />
  );
}
