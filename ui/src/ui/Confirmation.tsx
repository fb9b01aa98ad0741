import type { KeyboardEvent } from "react";
import { Button } from "./Button";

interface Props {
  question: string;
  /** What will be gone, and what will not. */
  about: string;
  onDelete(): void;
  onKeep(): void;
}

/** Asks before something is deleted that no Undo brings back; stands in the place of what it is about. Escape keeps it. */
export function Confirmation({ question, about, onDelete, onKeep }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    onKeep();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key goes to the buttons in it
    <div className="cass-confirm" onKeyDown={onKeyDown}>
      <span>
        <b>{question}</b>
        <small>{about}</small>
      </span>
      <div className="cass-buttons">
        <Button look="danger" onClick={onDelete}>
          Delete
        </Button>
        <Button autoFocus onClick={onKeep}>
          Keep
        </Button>
      </div>
    </div>
  );
}
