import { useState } from "react";
import { Confirmation } from "../ui/Confirmation";
import { Checkbox } from "../ui/Field";
import { FileButton } from "../ui/FileButton";
import { IconButton } from "../ui/IconButton";
import { TrashIcon } from "../ui/icons";
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
      <div className="cass-buttons">
        {(["several", "folder"] as const).map((takes) => (
          <FileButton
            key={takes}
            label={takes === "folder" ? "Add a folder" : "Add files"}
            takes={takes}
            isDisabled={isBusy}
            onFiles={(files) => onTake(Promise.resolve(filesOfInput(files)))}
          />
        ))}
      </div>
      <ul className="cass-rows">
        {files.map((file) => (
          <FileLine key={file.path} file={file} listing={listing} {...actions} />
        ))}
      </ul>
      <p className="cass-quiet">
        {isBusy ? "Adding…" : "Drop files or a folder here, or put them into"}{" "}
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
    return (
      <li>
        <Confirmation
          question={`Delete “${name}”?`}
          about="It is your own file. It is removed from the folder and cannot be brought back."
          onDelete={() => onDelete(file)}
          onKeep={() => setAsking(false)}
        />
      </li>
    );
  const facts = [
    sizeOf(bytes),
    ...(isRead && tokens > 0 ? [`${tokens.toLocaleString("en")} tokens`] : []),
    stateOf(file, listing),
  ];
  return (
    <li>
      <Checkbox label={`Use ${name}`} checked={isOn} onTurn={() => onTurn(file)} />
      <div className="cass-project-about" data-off={isOn ? undefined : true}>
        <b>{name}</b>
        <small>{facts.join(" · ")}</small>
        {problem && <small>{problem}</small>}
      </div>
      <IconButton label={`Delete ${name}`} onClick={() => setAsking(true)}>
        <TrashIcon />
      </IconButton>
    </li>
  );
}
