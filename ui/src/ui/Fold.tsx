import { type ReactNode, useId, useState } from "react";
import { Button } from "../ui/Button";
import { ChevronIcon } from "./icons";

interface Props {
  /** Always there; pressing it opens the rest. */
  line: ReactNode;
  className?: string;
  children: ReactNode;
}

/** One line until it is opened. */
export function Fold({ line, className = "", children }: Props) {
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  return (
    <div className={`cass-fold ${className}`}>
      <Button
        look="line"
        className="cass-fold-line"
        aria-expanded={open}
        aria-controls={bodyId}
        onClick={() => setOpen(!open)}
      >
        <span className="cass-chevron">
          <ChevronIcon />
        </span>
        {line}
      </Button>
      {open && (
        <div className="cass-fold-body" id={bodyId}>
          {children}
        </div>
      )}
    </div>
  );
}
