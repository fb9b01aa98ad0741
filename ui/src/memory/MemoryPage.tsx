import { useCallback, useEffect, useMemo, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { addStyles } from "../ui/addStyles";
import { Problem } from "../ui/Problem";
import { SearchField } from "../ui/SearchField";
import { MadeRuns, type RunPage } from "./MadeRuns";
import { MemoryDay } from "./MemoryDay";
import styles from "./memory.css?inline";
import { createMemoryApi } from "./memoryApi";
import { useFound } from "./useFound";

addStyles(styles);

interface Props {
  api: AssistantApi;
  /** The open chat, undefined where nothing was said in it. */
  threadId: string | undefined;
  page: RunPage | undefined;
}

/** What stays of condensed chats: seen, searched, edited, forgotten; and whether this chat may look into it. */
export function MemoryPage({ api, threadId, page }: Props) {
  const memory = useMemo(() => createMemoryApi(api), [api]);
  const [query, setQuery] = useState("");
  const [mayLook, setMayLook] = useState(false);
  const [forgotten, setForgotten] = useState<{ day: string; text: string }>();
  const [failure, setFailure] = useState<ErrorDetails>();

  const perform = useCallback(async (change: Promise<unknown>) => {
    setFailure(undefined);
    try {
      await change;
      return true;
    } catch (error) {
      setFailure(detailsOf(error));
      return false;
    }
  }, []);
  const { found: days, read } = useFound(query, memory.days, perform);
  useEffect(() => {
    let isCurrent = true;
    setMayLook(false);
    if (threadId) void perform(memory.leave(threadId).then((given) => isCurrent && setMayLook(given)));
    return () => {
      isCurrent = false;
    };
  }, [memory, threadId, perform]);

  async function putBack({ day, text }: { day: string; text: string }) {
    if (!(await perform(memory.write(day, text, "")))) return;
    setForgotten(undefined);
    void perform(read());
  }

  return (
    <div className="cass-page cass-memory">
      {failure && <Problem details={failure} />}
      <label>
        <input
          type="checkbox"
          checked={mayLook}
          disabled={!threadId}
          onChange={() => threadId && void perform(memory.give(threadId, !mayLook).then(setMayLook))}
        />{" "}
        This chat may look into my other chats and this memory
        {!threadId && <span className="cass-quiet"> – once something was said in it</span>}
      </label>
      <SearchField label="Search the memory" query={query} onQuery={setQuery} />
      {forgotten && (
        <p>
          Forgot {forgotten.day}.{" "}
          <button type="button" className="cass-line-button" onClick={() => void putBack(forgotten)}>
            Undo
          </button>
        </p>
      )}
      {days?.length === 0 && (
        <p className="cass-quiet">
          {query
            ? "No day has these words."
            : "Nothing yet. When a chat is condensed or cleared, what was asked, answered, changed and made stays here."}
        </p>
      )}
      <ul>
        {days?.map((day) => (
          <MemoryDay
            key={day.day}
            day={day}
            api={memory}
            perform={perform}
            onForgotten={(name, text) => {
              setForgotten({ day: name, text });
              void perform(read());
            }}
          />
        ))}
      </ul>
      <MadeRuns query={query} api={memory} page={page} />
    </div>
  );
}
