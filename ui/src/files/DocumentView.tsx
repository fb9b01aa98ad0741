import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { amountOf } from "../shared/amounts";
import { Button } from "../ui/Button";
import { Loaded, Page } from "../ui/Page";
import { useResource } from "../ui/useResource";
import { createFilesApi, type DocumentPart } from "./filesApi";
import { partsAround } from "./place";

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
  const [start, setStart] = useState<number>();
  const part = useResource(
    useCallback(
      () => files.document(threadId, number, start === undefined ? { near } : { start: String(start) }),
      [files, threadId, number, near, start],
    ),
  );
  return (
    <Page>
      <Loaded of={part}>{(read) => <Part part={read} onRead={setStart} />}</Loaded>
    </Page>
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
      <h3>
        {title}{" "}
        <small>
          {kind === "project" ? "Project file" : "Attached"}, {amountOf(characters, "character")}
          {start > 0 || end < characters
            ? `, of which ${start.toLocaleString("en")} to ${end.toLocaleString("en")} are shown`
            : ""}
        </small>
      </h3>
      {isChanged && <p className="cass-quiet">The file has changed since the model read it.</p>}
      {characters === 0 && <p className="cass-quiet">The file is no longer there, or has no text now.</p>}
      <div className="cass-buttons">
        {start > 0 && <Button onClick={() => onRead(Math.max(0, start - PART))}>Earlier</Button>}
        {end < characters && <Button onClick={() => onRead(end)}>Later</Button>}
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
