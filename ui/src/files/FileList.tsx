import { useFileDrop } from "../shared/useFileDrop";
import { type Chosen, filesOfDrop, filesOfInput } from "./chosenFiles";
import type { Listing, ProjectFile, Scope } from "./filesApi";
import { sizeOf, stateOf } from "./fileWords";

const destinations: Record<Scope, string> = { all: "For all workflows", workflow: "For this workflow" };

interface Props {
  title: string;
  listing: Listing;
  scope: Scope;
  /** Where its files can be moved to. */
  other: Scope | undefined;
  isBusy: boolean;
  onTake(chosen: Promise<Chosen>): void;
  onTurn(file: ProjectFile): void;
  onMove(file: ProjectFile, to: Scope): void;
  onDelete(file: ProjectFile): void;
}

/** The files of one scope, and where more are dropped. */
export function FileList({ title, listing, scope, other, isBusy, onTake, ...actions }: Props) {
  const { isDropping, dropping } = useFileDrop((transfer) => onTake(filesOfDrop(transfer)));
  const folder = listing.folders[scope];
  const files = listing.files.filter((file) => file.scope === scope);
  if (!folder)
    return (
      <section aria-label={title} className="cass-sunken">
        <h3>{title}</h3>
        <p className="cass-quiet">Save the workflow first; then it can have files of its own.</p>
      </section>
    );
  return (
    <section
      aria-label={title}
      className="cass-sunken cass-project-scope"
      data-dropping={isDropping || undefined}
      {...dropping}
    >
      <header>
        <h3>{title}</h3>
        <Chooser label="Add files" isDisabled={isBusy} onTake={onTake} />
        <Chooser label="Add a folder" isFolder isDisabled={isBusy} onTake={onTake} />
      </header>
      <ul>
        {files.map((file) => (
          <FileLine key={file.path} file={file} listing={listing} other={other} {...actions} />
        ))}
      </ul>
      <p className="cass-quiet">
        {isBusy ? "Taking them in…" : "Drop files or a folder here, or put them into"}{" "}
        {!isBusy && <code title={folder}>{folder}</code>}
      </p>
    </section>
  );
}

interface LineProps extends Pick<Props, "listing" | "other" | "onTurn" | "onMove" | "onDelete"> {
  file: ProjectFile;
}

function FileLine({ file, listing, other, onTurn, onMove, onDelete }: LineProps) {
  const { name, bytes, tokens, isOn, isRead, problem } = file;
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
      <div className="cass-buttons">
        {other && (
          <button
            type="button"
            className="cass-link"
            aria-label={`${destinations[other]}: ${name}`}
            onClick={() => onMove(file, other)}
          >
            {destinations[other]}
          </button>
        )}
        <button
          type="button"
          className="cass-link"
          aria-label={`Delete ${name}`}
          onClick={() => onDelete(file)}
        >
          Delete
        </button>
      </div>
    </li>
  );
}

interface ChooserProps extends Pick<Props, "onTake"> {
  label: string;
  isFolder?: boolean;
  isDisabled: boolean;
}

function Chooser({ label, isFolder = false, isDisabled, onTake }: ChooserProps) {
  return (
    <label className="cass-link">
      {label}
      <input
        type="file"
        hidden
        multiple
        aria-label={label}
        disabled={isDisabled}
        {...(isFolder && { webkitdirectory: "" })}
        onChange={({ target }) => {
          onTake(Promise.resolve(filesOfInput(target.files ?? [])));
          target.value = "";
        }}
      />
    </label>
  );
}
