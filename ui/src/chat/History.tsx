import { useAui, useAuiState } from "@assistant-ui/react";
import { useEffect, useState } from "react";
import { Problem } from "../shared/Problem";
import { useStore } from "../shared/store";
import { useChatEnvironment } from "./chatContext";
import { HistoryItem } from "./HistoryItem";
import { HistorySearch } from "./HistorySearch";
import { inOrder } from "./threadOrder";

interface Props {
  /** What to search for to begin with. */
  query: string;
  onOpened(): void;
}

/** Earlier chats: search, open, pin, rename, export, delete. */
export function History({ query: firstQuery, onOpened }: Props) {
  const aui = useAui();
  const { listFailure } = useChatEnvironment();
  const failure = useStore(listFailure);
  const [query, setQuery] = useState(firstQuery);
  useEffect(() => setQuery(firstQuery), [firstQuery]);
  useEffect(() => {
    listFailure.set(undefined);
    void aui.threads.reload();
  }, [aui, listFailure]);
  return (
    <>
      <input
        className="cass-field cass-history-search"
        type="search"
        aria-label="Search all chats"
        placeholder="Search all chats"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {failure && <Problem details={failure} />}
      {query.trim() ? (
        <HistorySearch query={query.trim()} onOpened={onOpened} />
      ) : (
        <AllChats onOpened={onOpened} />
      )}
    </>
  );
}

function AllChats({ onOpened }: { onOpened(): void }) {
  const items = useAuiState(({ threads }) => threads.threadItems);
  const ids = useAuiState(({ threads }) => threads.threadIds);
  const current = useAuiState(({ threads }) => threads.mainThreadId);
  const loading = useAuiState(({ threads }) => threads.isLoading);
  const failed = useAuiState(({ threads }) => threads.loadError !== undefined);
  const listed = inOrder(items.filter(({ id }) => ids.includes(id)));
  return (
    <>
      <ul className="cass-threads">
        {listed.map((thread) => (
          <HistoryItem key={thread.id} thread={thread} current={thread.id === current} onOpened={onOpened} />
        ))}
      </ul>
      {listed.length === 0 && (
        <p className="cass-drawer-empty">
          {failed ? "The chats could not be loaded." : loading ? "Loading…" : "No chats yet."}
        </p>
      )}
    </>
  );
}
