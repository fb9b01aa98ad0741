import { useAui, useAuiState } from "@assistant-ui/react";
import { useEffect, useState } from "react";
import { relativeTime } from "../../shared/relativeTime";
import { useStore } from "../../shared/store";
import { Button } from "../../ui/Button";
import { ChatsIcon } from "../../ui/icons";
import { Notice } from "../../ui/Notice";
import { useChatEnvironment } from "../chatContext";
import { chatsOfFile, nameOfFile } from "./chatsOfFile";

/** Where a workflow is opened that another chat is about: that one, a click away. */
export function OfferedChat({ file }: { file: string }) {
  const aui = useAui();
  const { threadFiles } = useChatEnvironment();
  const newer = useStore(threadFiles);
  const items = useAuiState(({ threads }) => threads.threadItems);
  const ids = useAuiState(({ threads }) => threads.threadIds);
  const current = useAuiState(({ threads }) => threads.mainThreadId);
  const [dismissed, setDismissed] = useState("");
  const chats = chatsOfFile(items, file, newer).filter(({ id }) => ids.includes(id));
  const [newest] = chats;
  // A chat that was begun on this page has its title from the server.
  const isUntitled = newest !== undefined && !newest.title;
  useEffect(() => {
    if (isUntitled) void aui.threads.reload();
  }, [aui, isUntitled]);
  if (!newest || dismissed === file || chats.some(({ id }) => id === current)) return null;
  return (
    <Notice
      icon={<ChatsIcon />}
      actions={<Button onClick={() => void aui.threads.switchToThread(newest.id)}>Open it</Button>}
      onDismiss={() => setDismissed(file)}
    >
      There is a chat about “{nameOfFile(file)}”{newest.title && `: “${newest.title}”`}
      {newest.lastMessageAt && `, ${relativeTime(newest.lastMessageAt, new Date())}`}
    </Notice>
  );
}
