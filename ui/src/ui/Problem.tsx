import type { ReactNode } from "react";
import type { ErrorDetails } from "../api/errors";
import { Button } from "./Button";
import { AlertIcon } from "./icons";

interface Props {
  details: Pick<ErrorDetails, "message" | "hint">;
  /** There, where the same can be tried once more. */
  retry?: (() => void) | undefined;
  /** What else may put it right. */
  children?: ReactNode;
}

/** What went wrong and what to do about it, in place. */
export function Problem({ details, retry, children }: Props) {
  return (
    <div className="cass-problem" role="alert">
      <AlertIcon />
      <span>
        {details.message} {details.hint}
      </span>
      {children}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  );
}
