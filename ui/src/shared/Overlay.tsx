import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "./IconButton";
import { CloseIcon } from "./icons";

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
  const view = useKeptFocus();
  return (
    <section
      ref={view}
      className={`cass-overlay cass-overlay-${extent}`}
      aria-label={title}
      tabIndex={-1}
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

/** Takes the focus, and takes it back when the element that had it is gone, so that Escape goes on to close. */
function useKeptFocus() {
  const view = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = view.current;
    if (!element) return;
    let focused: EventTarget | null = element;
    const onFocusIn = ({ target }: FocusEvent) => {
      focused = target;
    };
    const observer = new MutationObserver(() => {
      const isGone = focused instanceof Node && !focused.isConnected;
      if (isGone && document.activeElement === document.body) element.focus({ preventScroll: true });
    });
    element.focus();
    element.addEventListener("focusin", onFocusIn);
    observer.observe(element, { childList: true, subtree: true });
    return () => {
      element.removeEventListener("focusin", onFocusIn);
      observer.disconnect();
    };
  }, []);
  return view;
}
