import { useCallback, useMemo, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { addStyles } from "../ui/addStyles";
import { Checkbox } from "../ui/Field";
import { Loaded, Page } from "../ui/Page";
import { SearchField } from "../ui/SearchField";
import { useResource } from "../ui/useResource";
import { MadeRuns, type RunPage } from "./MadeRuns";
import { MemoryDay } from "./MemoryDay";
import styles from "./memory.css?inline";
import { createMemoryApi, type MemoryApi } from "./memoryApi";

addStyles(styles);

interface Props {
  api: AssistantApi;
  /** The open chat, undefined where nothing was said in it. */
  threadId: string | undefined;
  page: RunPage | undefined;
}

/** What stays of condensed chats: seen, searched, edited, deleted; and whether this chat may look into it. */
export function MemoryPage({ api, threadId, page }: Props) {
  const memory = useMemo(() => createMemoryApi(api), [api]);
  const [query, setQuery] = useState("");
  const days = useResource(useCallback(() => memory.days(query), [memory, query]));
  return (
    <Page className="cass-memory">
      <Leave memory={memory} threadId={threadId} />
      <SearchField label="Search the memory" query={query} onQuery={setQuery} />
      <Loaded of={days}>
        {(found) =>
          found.length === 0 ? (
            <p className="cass-quiet">
              {query
                ? "No day has these words."
                : "Nothing here yet. Notes appear when a chat is summarized or cleared."}
            </p>
          ) : (
            <ul className="cass-days">
              {found.map((day) => (
                <MemoryDay key={day.day} day={day} api={memory} days={days} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MadeRuns query={query} api={memory} page={page} />
    </Page>
  );
}

/** Whether the open chat may look into the others. */
function Leave({ memory, threadId }: { memory: MemoryApi; threadId: string | undefined }) {
  const leave = useResource(
    useCallback(async () => threadId !== undefined && memory.leave(threadId), [memory, threadId]),
  );
  return (
    <Loaded of={leave}>
      {(isGiven) => (
        <Checkbox
          checked={isGiven}
          disabled={threadId === undefined}
          onTurn={(on) => void leave.perform(async () => threadId && memory.give(threadId, on))}
        >
          Let this chat search my other chats and memory
          {threadId === undefined && <span className="cass-quiet"> (after its first message)</span>}
        </Checkbox>
      )}
    </Loaded>
  );
}
