import { useCallback, useEffect, useMemo, useState } from "react";
import type { AssistantApi } from "../api/assistantApi";
import { detailsOf, type ErrorDetails } from "../api/errors";
import { amountOf } from "../shared/amounts";
import { few } from "../shared/few";
import { addStyles } from "../ui/addStyles";
import { Flaws } from "../ui/Flaws";
import { Problem } from "../ui/Problem";
import type { Chosen, ChosenFile } from "./chosenFiles";
import { FileList } from "./FileList";
import styles from "./files.css?inline";
import { createFilesApi, type Listing } from "./filesApi";
import { takenRoom } from "./fileWords";

addStyles(styles);

const READING_AGAIN_MS = 2_000;

interface Props {
  api: AssistantApi;
  /** The open chat, undefined where nothing was said in it. */
  threadId: string | undefined;
}

/** Files that did not come in. */
interface Refused {
  /** Another of the same name is there. */
  present: ChosenFile[];
  /** What was wrong with the others, and that hidden ones were left out. */
  problems: string[];
}

/** The files that every chat knows. */
export function FilesPage({ api, threadId }: Props) {
  const files = useMemo(() => createFilesApi(api), [api]);
  const [listing, setListing] = useState<Listing>();
  const [failure, setFailure] = useState<ErrorDetails>();
  const [refused, setRefused] = useState<Refused>();
  const [isBusy, setBusy] = useState(false);
  const [reading, setReading] = useState(0);
  const readAgain = useCallback(() => setReading((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read anew with each count
  useEffect(() => {
    let isCurrent = true;
    files.list(threadId).then(
      (read) => isCurrent && setListing(read),
      (error: unknown) => isCurrent && setFailure(detailsOf(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [files, threadId, reading]);
  const isReading = listing?.files.some(({ isRead }) => !isRead);
  useEffect(() => {
    if (!isReading) return;
    const timer = setInterval(readAgain, READING_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isReading, readAgain]);

  async function perform(change: Promise<void>): Promise<void> {
    setFailure(undefined);
    await change.catch((error: unknown) => setFailure(detailsOf(error)));
    readAgain();
  }

  async function take(given: Promise<Chosen>, replace = false) {
    setBusy(true);
    setFailure(undefined);
    setRefused(undefined);
    try {
      const { files: chosen, hidden } = await given;
      const news: Refused = { present: [], problems: [] };
      for (const file of chosen) {
        try {
          await files.write(file.name, file.content, { replace });
        } catch (error) {
          const { code, message, hint } = detailsOf(error);
          if (code === "already_there") news.present.push(file);
          else news.problems.push(`${message} ${hint ?? ""}`.trim());
        }
      }
      if (hidden > 0) news.problems.push(`${amountOf(hidden, "hidden file")} left out.`);
      if (chosen.length + hidden === 0) news.problems.push("There was no file in it.");
      if (news.present.length + news.problems.length > 0) setRefused(news);
    } catch (error) {
      setFailure(detailsOf(error));
    }
    setBusy(false);
    readAgain();
  }

  return (
    <div className="cass-page cass-project">
      {failure && <Problem details={failure} />}
      {refused && (
        <RefusedFiles
          refused={refused}
          onReplace={() => void take(Promise.resolve({ files: refused.present, hidden: 0 }), true)}
          onClose={() => setRefused(undefined)}
        />
      )}
      {!listing && !failure && <p className="cass-quiet">Loading…</p>}
      {listing && <Room listing={listing} />}
      {listing && (
        <FileList
          listing={listing}
          isBusy={isBusy}
          onTake={(chosen) => void take(chosen)}
          onTurn={(file) => void perform(files.turn(file.path, !file.isOn))}
          onDelete={(file) => void perform(files.remove(file.path))}
        />
      )}
      {listing && listing.diagnostics.length > 0 && <Unread of={listing.diagnostics} />}
    </div>
  );
}

/** What these files are for, and how much of them a chat is told whole. */
function Room({ listing: { files, leftOut, room, isSearched } }: { listing: Listing }) {
  const on = files.filter(({ isOn }) => isOn);
  const tokens = on.reduce((sum, file) => sum + file.tokens, 0);
  const others = isSearched ? "the others are searched" : "of the others it is told what fits a message";
  if (files.length === 0)
    return (
      <p className="cass-quiet">
        Texts and PDF files that every chat should know: a style guide, a list of characters, a manual. The
        model reads them with your messages and cites them as [1]. Those that are too long are searched.
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
            {takenRoom(files).toLocaleString("en")} of {amountOf(room, "token")} for files that the model is
            told whole{tokens > takenRoom(files) && `; ${others}`}.
          </p>
        </>
      ) : (
        <p className="cass-quiet">No model is set up yet, so nothing can be said of what fits.</p>
      )}
      {leftOut > 0 && (
        <p>
          {amountOf(leftOut, "more file")} in this folder {leftOut === 1 ? "is" : "are"} neither told nor
          searched: a chat knows {files.length} at most.
        </p>
      )}
    </div>
  );
}

/** What lies in the folder and is not read. */
function Unread({ of }: { of: Listing["diagnostics"] }) {
  return (
    <section aria-label="Not read" className="cass-project-unread">
      <h3>Not read</h3>
      <Flaws of={of} />
    </section>
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
          <button type="button" className="cass-button" onClick={onReplace}>
            Replace {present.length === 1 ? "it" : "them"}
          </button>
        )}
        <button type="button" className="cass-button cass-plain" onClick={onClose}>
          {present.length > 0 ? "Keep what is there" : "Close"}
        </button>
      </div>
    </div>
  );
}
