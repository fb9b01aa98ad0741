import { useEffect, useMemo, useRef, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { amountOf } from "../shared/amounts";
import { addStyles } from "../ui/addStyles";
import { Problem } from "../ui/Problem";
import styles from "./document.css?inline";
import { createFilesApi, type DocumentPart } from "./filesApi";
import { partsAround } from "./place";

addStyles(styles);

const PART = 40_000;

interface Props {
  api: AssistantApi;
  threadId: string;
  number: number;
  /** The sentence that cites it. */
  near: string;
}

/** A document of the chat, at the place that a sentence of an answer is about. */
export function DocumentView({ api, threadId, number, near }: Props) {
  const files = useMemo(() => createFilesApi(api), [api]);
  const [part, setPart] = useState<DocumentPart>();
  const [failure, setFailure] = useState<ErrorDetails>();
  const [start, setStart] = useState<number>();
  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    files.document(threadId, number, start === undefined ? { near } : { start: String(start) }).then(
      (read) => isCurrent && setPart(read),
      (error: unknown) => isCurrent && setFailure(detailsOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [files, threadId, number, near, start]);
  return (
    <div className="cass-page cass-document">
      {failure && <Problem details={failure} />}
      {!part && !failure && <p className="cass-quiet">Loading…</p>}
      {part && <Part part={part} onRead={setStart} />}
    </div>
  );
}

function Part({ part, onRead }: { part: DocumentPart; onRead(start: number): void }) {
  const { title, kind, characters, start, isChanged } = part;
  const { before, marked, after, end } = partsAround(part);
  const mark = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with each part that is shown
  useEffect(() => void mark.current?.scrollIntoView({ block: "center" }), [part]);
  return (
    <>
      <header>
        <h3>{title}</h3>
        <small>
          {kind === "project" ? "Project file" : "Attached"}, {amountOf(characters, "character")}
          {start > 0 || end < characters
            ? `, of which ${start.toLocaleString("en")} to ${end.toLocaleString("en")} are shown`
            : ""}
        </small>
      </header>
      {isChanged && <p className="cass-quiet">The file has changed since the model was told of it.</p>}
      {characters === 0 && <p className="cass-quiet">The file is no longer there, or has no text now.</p>}
      <div className="cass-buttons">
        {start > 0 && (
          <button type="button" className="cass-button" onClick={() => onRead(Math.max(0, start - PART))}>
            Earlier
          </button>
        )}
        {end < characters && (
          <button type="button" className="cass-button" onClick={() => onRead(end)}>
            Later
          </button>
        )}
      </div>
      {characters > 0 && (
        <pre className="cass-plain-text">
          {before}
          {marked && <mark ref={mark}>{marked}</mark>}
          {after}
        </pre>
      )}
    </>
  );
}
