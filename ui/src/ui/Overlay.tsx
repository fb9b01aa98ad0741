import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
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
  const typedIn = useRef<EventTarget>(undefined);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    if (typedIn.current !== event.target) return onClose();
    // A long text is not thrown away by the key that also leaves what a keyboard or a checker of spelling offers.
    typedIn.current = undefined;
    view.current?.focus();
  };
  return (
    <section
      ref={view}
      className={`cass-overlay cass-overlay-${extent}`}
      aria-label={title}
      tabIndex={-1}
      {...FOCUS_HOME}
      {...(extent === "whole" && { onDragOver: takeNoFiles, onDrop: takeNoFiles })}
      onInput={({ target }) => {
        typedIn.current = target instanceof HTMLTextAreaElement ? target : undefined;
      }}
      onKeyDown={onKeyDown}
    >
      <header className="cass-overlay-header">
        <h2>{title}</h2>
        {tools}
        <IconButton className="cass-overlay-close" label="Close" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      {children}
    </section>
  );
}

/** What no part of the view takes is not attached to the message below, which nobody sees. */
function takeNoFiles(event: DragEvent) {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  event.stopPropagation();
  event.dataTransfer.dropEffect = "none";
}

/** Has the keyboard as soon as it is there. */
function useFirstFocus() {
  const view = useRef<HTMLElement>(null);
  useEffect(() => view.current?.focus(), []);
  return view;
}
