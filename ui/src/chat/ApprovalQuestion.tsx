import { useEffect, useId, useRef } from "react";
import type { ApprovalRequest } from "../shared/toolCalls";
import { useChatEnvironment } from "./chatContext";

/** What a tool is about to do, for the person to allow or deny. */
export function ApprovalQuestion({ request }: { request: ApprovalRequest }) {
  const { approvals } = useChatEnvironment();
  const titleId = useId();
  const allow = useBorrowedFocus();
  const answer = (isAllowed: boolean) => approvals.answer(request, isAllowed);
  return (
    <div
      className="cass-approval"
      role="alertdialog"
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        answer(false);
      }}
    >
      <div className="cass-approval-text">
        <p id={titleId}>{request.title}</p>
        {request.detail && <p className="cass-approval-detail">{request.detail}</p>}
        {request.body}
      </div>
      <button ref={allow} type="button" className="cass-button cass-primary" onClick={() => answer(true)}>
        {request.allow ?? "Allow"}
      </button>
      <button type="button" className="cass-button" title="Escape" onClick={() => answer(false)}>
        Deny
      </button>
    </div>
  );
}

/** Has the focus until it goes, and gives it back. */
function useBorrowedFocus() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    button.current?.scrollIntoView({ block: "nearest" });
    if (!mayTakeFocusFrom(before)) return;
    button.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
  return button;
}

/** Somebody who is typing, or at work outside the panel, must not answer with the next key. */
function mayTakeFocusFrom(element: Element | null): boolean {
  if (element === null || element === document.body) return true;
  if (!element.closest(".cass-root")) return false;
  const isTyping =
    (element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement) && element.value !== "";
  return !isTyping;
}
