import { Button } from "../../ui/Button";
import { IconButton } from "../../ui/IconButton";
import { CheckIcon, CloseIcon, InfoIcon } from "../../ui/icons";
import { ErrorNote } from "../messages/ErrorNote";
import type { ComposerNotice } from "./composerNotice";

interface Props {
  notice: ComposerNotice;
  onRetry: (() => void) | undefined;
  onDismiss(): void;
}

export function ComposerNoticeLine({ notice, onRetry, onDismiss }: Props) {
  if (notice.kind === "error")
    return <ErrorNote details={notice.details} onRetry={onRetry} onDismiss={onDismiss} />;
  return (
    <p className="cass-notice" role="status">
      {notice.kind === "done" ? <CheckIcon /> : <InfoIcon />}
      <span>{notice.text}</span>
      {notice.kind === "done" && notice.onUndo && <Button onClick={notice.onUndo}>Undo</Button>}
      <IconButton label="Dismiss" onClick={onDismiss}>
        <CloseIcon />
      </IconButton>
    </p>
  );
}
