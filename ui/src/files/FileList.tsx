import { useState } from "react";
import { FileButton } from "../ui/FileButton";
import { useFileDrop } from "../ui/useFileDrop";
import { type Chosen, filesOfDrop, filesOfInput } from "./chosenFiles";
import type { Listing, ProjectFile } from "./filesApi";
import { sizeOf, stateOf } from "./fileWords";

interface Props {
  listing: Listing;
  isBusy: boolean;
  onTake(chosen: Promise<Chosen>): void;
  onTurn(file: ProjectFile): void;
  onDelete(file: ProjectFile): void;
}

/** The project files, and where more are dropped. */
export function FileList({ listing, isBusy, onTake, ...actions }: Props) {
  const { isDropping, dropping } = useFileDrop((transfer) => onTake(filesOfDrop(transfer)));
  const { folder, files } = listing;
  return (
    <section
      aria-label="Project files"
      className="cass-sunken cass-project-files"
      data-dropping={isDropping || undefined}
      {...dropping}
    >
      <header>
        {(["several", "folder"] as const).map((takes) => (
          <FileButton
            key={takes}
            label={takes === "folder" ? "Add a folder" : "Add files"}
            takes={takes}
            isDisabled={isBusy}
            onFiles={(files) => onTake(Promise.resolve(filesOfInput(files)))}
          />
        ))}
      </header>
      <ul>
        {files.map((file) => (
          <FileLine key={file.path} file={file} listing={listing} {...actions} />
        ))}
      </ul>
      <p className="cass-quiet">
        {isBusy ? "Taking them in…" : "Drop files or a folder here, or put them into"}{" "}
        {!isBusy && <code title={folder}>{folder}</code>}
      </p>
    </section>
  );
}

interface LineProps extends Pick<Props, "listing" | "onTurn" | "onDelete"> {
  file: ProjectFile;
}

function FileLine({ file, listing, onTurn, onDelete }: LineProps) {
  const { name, bytes, tokens, isOn, isRead, problem } = file;
  const [isAsking, setAsking] = useState(false);
  if (isAsking)
    return <DeleteQuestion name={name} onDelete={() => onDelete(file)} onKeep={() => setAsking(false)} />;
  const facts = [
    sizeOf(bytes),
    ...(isRead && tokens > 0 ? [`${tokens.toLocaleString("en")} tokens`] : []),
    stateOf(file, listing),
  ];
  return (
    <li data-off={isOn ? undefined : true}>
      <input type="checkbox" aria-label={`Use ${name}`} checked={isOn} onChange={() => onTurn(file)} />
      <div className="cass-project-about">
        <b>{name}</b>
        <small>{facts.join(" · ")}</small>
        {problem && <small>{problem}</small>}
      </div>
      <button
        type="button"
        className="cass-link"
        aria-label={`Delete ${name}`}
        onClick={() => setAsking(true)}
      >
        Delete
      </button>
    </li>
  );
}

interface QuestionProps {
  name: string;
  onDelete(): void;
  onKeep(): void;
}

function DeleteQuestion({ name, onDelete, onKeep }: QuestionProps) {
  return (
    <li
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onKeep();
      }}
    >
      <div className="cass-project-about">
        <b>Delete “{name}”?</b>
        <small>It is your own file. It is removed from the folder and cannot be brought back.</small>
      </div>
      <div className="cass-buttons">
        <button type="button" className="cass-button cass-danger" onClick={onDelete}>
          Delete
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the harmless answer is the one at hand */}
        <button type="button" className="cass-button" autoFocus onClick={onKeep}>
          Keep
        </button>
      </div>
    </li>
  );
}
