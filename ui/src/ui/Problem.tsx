import type { ReactNode } from "react";
import { AlertIcon } from "./icons";

/** One line about what went wrong, in place; what may put it right stands after it. */
export function Problem({
  details,
  children,
}: {
  details: { message: string; hint?: string | undefined };
  children?: ReactNode;
}) {
  return (
    <div className="cass-problem" role="alert">
      <AlertIcon />
      <span>
        {details.message} {details.hint}
      </span>
      {children}
    </div>
  );
}
