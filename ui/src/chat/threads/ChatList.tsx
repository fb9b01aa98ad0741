import { useAui, useAuiState } from "@assistant-ui/react";
import { useEffect, useState } from "react";
import { useStore } from "../../shared/store";
import { Button } from "../../ui/Button";
import { Loading } from "../../ui/Loading";
import { Problem } from "../../ui/Problem";
import { SearchField } from "../../ui/SearchField";
import { useOnReturn } from "../../ui/useOnReturn";
import { useChatEnvironment } from "../chatContext";
import { ChatListItem } from "./ChatListItem";
import { ChatSearch } from "./ChatSearch";
import { chatsOfFile, nameOfFile } from "./chatsOfFile";
import { inOrder } from "./threadOrder";

interface Props {
  /** What to search for to begin with. */
  query: string;
  /** Of the open workflow. */
  file: string | undefined;
  onOpened(): void;
}

/** Earlier chats: search, open, pin, rename, export, delete. */
export function ChatList({ query: firstQuery, file, onOpened }: Props) {
  const aui = useAui();
  const { listFailure } = useChatEnvironment();
  const failure = useStore(listFailure);
  const [query, setQuery] = useState(firstQuery);
  useEffect(() => setQuery(firstQuery), [firstQuery]);
  useEffect(() => {
    listFailure.set(undefined);
    void aui.threads.reload();
  }, [aui, listFailure]);
  useOnReturn(() => aui.threads.reload());
  return (
    <>
      <SearchField className="cass-chat-search" label="Search all chats" query={query} onQuery={setQuery} />
      {failure && <Problem details={failure} />}
      {query.trim() ? (
        <ChatSearch query={query.trim()} onOpened={onOpened} />
      ) : (
        <AllChats file={file} onOpened={onOpened} />
      )}
    </>
  );
}

function AllChats({ file, onOpened }: Omit<Props, "query">) {
  const newer = useStore(useChatEnvironment().threadFiles);
  const [isNarrowed, setNarrowed] = useState(false);
  const items = useAuiState(({ threads }) => threads.threadItems);
  const ids = useAuiState(({ threads }) => threads.threadIds);
  const current = useAuiState(({ threads }) => threads.mainThreadId);
  const loading = useAuiState(({ threads }) => threads.isLoading);
  const failed = useAuiState(({ threads }) => threads.loadError !== undefined);
  const all = inOrder(items.filter(({ id }) => ids.includes(id)));
  const ofFile = file === undefined ? [] : chatsOfFile(all, file, newer);
  const listed = isNarrowed && ofFile.length > 0 ? ofFile : all;
  return (
    <>
      {file !== undefined && ofFile.length > 0 && (
        <Button
          look="chip"
          className="cass-chat-file"
          aria-pressed={isNarrowed}
          onClick={() => setNarrowed(!isNarrowed)}
        >
          About “{nameOfFile(file)}” <small>{ofFile.length}</small>
        </Button>
      )}
      <ul className="cass-chat-list">
        {listed.map((thread) => (
          <ChatListItem key={thread.id} thread={thread} current={thread.id === current} onOpened={onOpened} />
        ))}
      </ul>
      {listed.length === 0 && (
        <div className="cass-chat-list-empty">
          {loading ? <Loading /> : failed ? "The chats could not be loaded." : "No chats yet."}
        </div>
      )}
    </>
  );
}
