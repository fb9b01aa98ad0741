import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { cover } from "./cover";
import { IconButton } from "./IconButton";
import { CloseIcon } from "./icons";
import { FOCUS_HOME } from "./useKeptFocus";

interface Props {
  title: string;
  /** Covers the conversation, which goes on underneath, or only its beginning. */
  extent?: "whole" | "side";
  /** Stands in the header, after the title. */
  tools?: ReactNode;
  onClose(): void;
  children: ReactNode;
}

export function Overlay({ title, extent = "whole", tools, onClose, children }: Props) {
  const view = useFirstFocus();
  useLayoutEffect(() => {
    const element = view.current;
    if (extent === "whole" && element?.parentElement) return cover(element, element.parentElement.children);
    return undefined;
  }, [extent, view]);
  return (
    <section
      ref={view}
      className={`cass-overlay cass-overlay-${extent}`}
      aria-label={title}
      tabIndex={-1}
      {...FOCUS_HOME}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header className="cass-overlay-header">
        <h2>{title}</h2>
        {tools}
        <IconButton className="cass-overlay-close" label={`Close ${title.toLowerCase()}`} onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      {children}
    </section>
  );
}

/** Has the keyboard as soon as it is there. */
function useFirstFocus() {
  const view = useRef<HTMLElement>(null);
  useEffect(() => view.current?.focus(), []);
  return view;
}
