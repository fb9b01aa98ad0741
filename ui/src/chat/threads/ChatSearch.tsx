import { useAui } from "@assistant-ui/react";
import { useEffect, useState } from "react";
import { MOST_HITS } from "../../api/contextApi";
import type { SearchHit } from "../../api/contextReplies";
import { detailsOf, type ErrorDetails } from "../../api/errors";
import { amountOf } from "../../shared/amounts";
import { relativeTime } from "../../shared/relativeTime";
import { Problem } from "../../ui/Problem";
import { useChatEnvironment } from "../chatContext";
import { excerptParts } from "./searchExcerpt";

/** How long somebody may pause between two letters. */
const PAUSE_MS = 250;

type Found = { query: string; hits?: readonly SearchHit[]; failure?: ErrorDetails };

/** Messages of all chats in which the words occur. */
export function ChatSearch({ query, onOpened }: { query: string; onOpened(): void }) {
  const aui = useAui();
  const { searchChats, reveal } = useChatEnvironment();
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      searchChats(query).then(
        (hits) => current && setFound({ query, hits }),
        (error: unknown) => current && setFound({ query, failure: detailsOf(error) }),
      );
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [searchChats, query]);
  if (!found) return <p className="cass-chat-list-empty">Searching…</p>;
  if (found.failure) return <Problem details={found.failure} />;
  if (found.hits?.length === 0)
    return (
      <p className="cass-chat-list-empty" role="status">
        Nothing was found for “{found.query}”.
      </p>
    );
  const { hits = [] } = found;
  return (
    <>
      <p className="cass-chat-list-empty" role="status">
        {hits.length < MOST_HITS
          ? amountOf(hits.length, "message")
          : `The ${MOST_HITS} best; another word leaves fewer.`}
      </p>
      <ul className="cass-chat-list" aria-label="Found messages">
        {hits.map(({ threadId, threadTitle, messageId, createdAt, role, excerpt }) => (
          <li key={`${threadId} ${messageId}`}>
            <button
              type="button"
              className="cass-line-button cass-hit"
              onClick={() => {
                reveal.set({ threadId, messageId, query: found.query });
                void aui.threads.switchToThread(threadId);
                onOpened();
              }}
            >
              <span className="cass-hit-title">
                <b>{threadTitle || "New chat"}</b>
                <span className="cass-chat-time">
                  {role === "user" ? "you, " : ""}
                  {relativeTime(createdAt, new Date())}
                </span>
              </span>
              <span className="cass-hit-excerpt">
                {excerptParts(excerpt, found.query).map(({ text, isFound, at }) =>
                  isFound ? <mark key={at}>{text}</mark> : text,
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
