import { useCallback, useMemo, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { amountOf } from "../shared/amounts";
import { few } from "../shared/few";
import { addStyles } from "../ui/addStyles";
import { Button } from "../ui/Button";
import { Flaws } from "../ui/Flaws";
import { Loaded, Page } from "../ui/Page";
import { Section } from "../ui/Section";
import { useResource } from "../ui/useResource";
import type { Chosen } from "./chosenFiles";
import { FileList } from "./FileList";
import styles from "./files.css?inline";
import { createFilesApi, type Listing, type Refused } from "./filesApi";
import { takenRoom } from "./fileWords";

addStyles(styles);

const READING_AGAIN_MS = 2_000;

interface Props {
  api: AssistantApi;
  /** The open chat, undefined where nothing was said in it. */
  threadId: string | undefined;
}

/** The files that every chat knows. */
export function FilesPage({ api, threadId }: Props) {
  const files = useMemo(() => createFilesApi(api), [api]);
  const listing = useResource(
    useCallback(() => files.list(threadId), [files, threadId]),
    { every: ({ files }) => (files.every(({ isRead }) => isRead) ? undefined : READING_AGAIN_MS) },
  );
  const [refused, setRefused] = useState<Refused>();
  const [isBusy, setBusy] = useState(false);
  async function take(given: Promise<Chosen>, replace = false) {
    setBusy(true);
    setRefused(undefined);
    await listing.perform(async () => setRefused(await files.writeAll(await given, { replace })));
    setBusy(false);
  }

  return (
    <Page>
      {refused && (
        <RefusedFiles
          refused={refused}
          onReplace={() => void take(Promise.resolve({ files: refused.present, hidden: 0 }), true)}
          onClose={() => setRefused(undefined)}
        />
      )}
      <Loaded of={listing}>
        {(all) => (
          <>
            <Room listing={all} />
            <FileList
              listing={all}
              isBusy={isBusy}
              onTake={(chosen) => void take(chosen)}
              onTurn={(file) => void listing.perform(() => files.turn(file.path, !file.isOn))}
              onDelete={(file) => void listing.perform(() => files.remove(file.path))}
            />
            {all.diagnostics.length > 0 && (
              <Section title="Not read">
                <Flaws of={all.diagnostics} />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What these files are for, and how many of them are sent whole. */
function Room({ listing: { files, leftOut, room, isSearched } }: { listing: Listing }) {
  const on = files.filter(({ isOn }) => isOn);
  const tokens = on.reduce((sum, file) => sum + file.tokens, 0);
  const others = isSearched ? "the others are searched" : "of the others only part is sent";
  if (files.length === 0)
    return (
      <p className="cass-quiet">
        Texts and PDF files that every chat should know: a style guide, a list of characters, a manual. The
        model reads them with your messages and cites them as [1]. Long ones are searched.
      </p>
    );
  return (
    <div className="cass-project-room">
      {room > 0 ? (
        <>
          <meter
            aria-label="Room for whole files"
            min={0}
            max={room}
            value={Math.min(room, takenRoom(files))}
          />
          <p>
            {takenRoom(files).toLocaleString("en")} of {amountOf(room, "token")} for files that are sent whole
            {tokens > takenRoom(files) && `; ${others}`}.
          </p>
        </>
      ) : (
        <p className="cass-quiet">No model is set up yet, so nothing can be said of what fits.</p>
      )}
      {leftOut > 0 && (
        <p>
          {amountOf(leftOut, "more file")} in this folder {leftOut === 1 ? "is" : "are"} not used: a chat
          knows {files.length} at most.
        </p>
      )}
    </div>
  );
}

function RefusedFiles({
  refused: { present, problems },
  onReplace,
  onClose,
}: {
  refused: Refused;
  onReplace(): void;
  onClose(): void;
}) {
  const names = present.map(({ name }) => `“${name}”`);
  return (
    <div className="cass-project-refused" role="status">
      {present.length > 0 && (
        <p>
          {few(names, 5)} {names.length === 1 ? "is" : "are"} there already.
        </p>
      )}
      {problems.slice(0, 8).map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      {problems.length > 8 && <p>{amountOf(problems.length - 8, "more file")} could not be taken in.</p>}
      <div className="cass-buttons">
        {present.length > 0 && (
          <Button onClick={onReplace}>Replace {present.length === 1 ? "it" : "them"}</Button>
        )}
        <Button look="plain" onClick={onClose}>
          {present.length > 0 ? "Keep what is there" : "Dismiss"}
        </Button>
      </div>
    </div>
  );
}
