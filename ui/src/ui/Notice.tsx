import type { ReactNode } from "react";
import { Button } from "./Button";
import { IconButton } from "./IconButton";
import { CloseIcon } from "./icons";

interface Props {
  icon?: ReactNode;
  className?: string;
  /** The whole of what is said, where the line is cut. */
  title?: string;
  /** What is said. */
  children: ReactNode;
  /** Buttons after it. */
  actions?: ReactNode;
  onUndo?: (() => void) | undefined;
  onDismiss?: (() => void) | undefined;
}

/** A line about what has happened, and what can be done about it. */
export function Notice({ icon, className = "", title, children, actions, onUndo, onDismiss }: Props) {
  return (
    <div className={`cass-notice ${className}`.trimEnd()} role="status">
      {icon}
      <span title={title}>{children}</span>
      {onUndo && <Button onClick={onUndo}>Undo</Button>}
      {actions}
      {onDismiss && (
        <IconButton label="Dismiss" onClick={onDismiss}>
          <CloseIcon />
        </IconButton>
      )}
    </div>
  );
}
