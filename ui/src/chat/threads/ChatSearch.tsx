import { useAui } from "@assistant-ui/react";
import { useCallback, useEffect, useState } from "react";
import { MOST_HITS } from "../../api/contextApi";
import type { SearchHit } from "../../api/contextReplies";
import { amountOf } from "../../shared/amounts";
import { relativeTime } from "../../shared/relativeTime";
import { Button } from "../../ui/Button";
import { Loaded } from "../../ui/Page";
import { useResource } from "../../ui/useResource";
import { useChatEnvironment } from "../chatContext";
import { excerptParts } from "./searchExcerpt";

/** How long somebody may pause between two letters. */
const PAUSE_MS = 250;

/** Messages of all chats in which the words occur. */
export function ChatSearch({ query, onOpened }: { query: string; onOpened(): void }) {
  const aui = useAui();
  const { searchChats, reveal } = useChatEnvironment();
  const settled = useSettled(query);
  const found = useResource(useCallback(() => searchChats(settled), [searchChats, settled]));
  return (
    <Loaded of={found}>
      {(hits) => (
        <Hits
          hits={hits}
          query={settled}
          onOpen={({ threadId, messageId }) => {
            reveal.set({ threadId, messageId, query: settled });
            void aui.threads.switchToThread(threadId);
            onOpened();
          }}
        />
      )}
    </Loaded>
  );
}

/** The words that stand there once somebody pauses. */
function useSettled(query: string): string {
  const [settled, setSettled] = useState(query);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [query]);
  return settled;
}

interface HitsProps {
  hits: readonly SearchHit[];
  query: string;
  onOpen(hit: SearchHit): void;
}

function Hits({ hits, query, onOpen }: HitsProps) {
  if (hits.length === 0)
    return (
      <p className="cass-chat-list-empty" role="status">
        Nothing was found for “{query}”.
      </p>
    );
  return (
    <>
      <p className="cass-chat-list-empty" role="status">
        {hits.length < MOST_HITS
          ? amountOf(hits.length, "message")
          : `The ${MOST_HITS} best; another word leaves fewer.`}
      </p>
      <ul className="cass-chat-list" aria-label="Found messages">
        {hits.map((hit) => {
          const { threadId, threadTitle, messageId, createdAt, role, excerpt } = hit;
          return (
            <li key={`${threadId} ${messageId}`}>
              <Button look="line" className="cass-hit" onClick={() => onOpen(hit)}>
                <span className="cass-hit-title">
                  <b>{threadTitle || "New chat"}</b>
                  <span className="cass-chat-time">
                    {role === "user" ? "you, " : ""}
                    {relativeTime(createdAt, new Date())}
                  </span>
                </span>
                <span className="cass-hit-excerpt">
                  {excerptParts(excerpt, query).map(({ text, isFound, at }) =>
                    isFound ? <mark key={at}>{text}</mark> : text,
                  )}
                </span>
              </Button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
