import { useEffect, useId, useRef, useState } from "react";
import type { ApprovalRequest, AskedNode, AskedWords } from "../../shared/toolCalls";
import { Button } from "../../ui/Button";
import { type ShowChanges, useChatEnvironment } from "../chatContext";

/** In milliseconds: a key or a click that was meant for what stood there before. */
const unreadFor = 500;

/** What a tool is about to do, for the person to allow or deny. Where it is asked in every mode, no key allows it by itself. */
export function ApprovalQuestion({ request }: { request: ApprovalRequest }) {
  const { approvals, showChanges } = useChatEnvironment();
  const titleId = useId();
  const first = useBorrowedFocus();
  const card = useShownFromItsBeginning();
  const isRead = useIsRead(request);
  const button = (isAllowed: boolean) => ({
    ref: isAllowed === !request.always ? first : undefined,
    type: "button" as const,
    "aria-disabled": !isRead,
    onClick: () => isRead && approvals.answer(request, isAllowed),
  });
  const words = (part: "title" | "detail") =>
    request.pointing ? (
      <PointingWords words={request.pointing[part]} workflow={request.pointing.workflow} show={showChanges} />
    ) : (
      request[part]
    );
  return (
    <div
      ref={card}
      className="cass-approval"
      role="alertdialog"
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        // A key that is held since before the question was read answers nothing.
        if (event.repeat && /^(?:Enter| )$/.test(event.key)) event.preventDefault();
        if (event.key !== "Escape") return;
        event.preventDefault();
        approvals.answer(request, false);
      }}
    >
      <div className="cass-approval-text">
        <p id={titleId}>{words("title")}</p>
        {request.detail && <p className="cass-approval-detail">{words("detail")}</p>}
        {request.outside && (
          <p className="cass-approval-detail">
            Careful: this may come from text the assistant read, not from you: {request.outside.join("; ")}.
          </p>
        )}
        {request.body}
      </div>
      <div className="cass-approval-answers">
        <Button {...button(true)} look="primary">
          {request.allow ?? "Allow"}
        </Button>
        {request.forGood && (
          <Button
            aria-disabled={!isRead}
            title={request.forGood.title}
            onClick={() => isRead && approvals.allowForGood(request)}
          >
            {request.forGood.label}
          </Button>
        )}
        <Button {...button(false)} title="Escape">
          Deny
        </Button>
      </div>
    </div>
  );
}

/** A click on a node shows it on the canvas. */
function PointingWords({
  words,
  workflow,
  show,
}: {
  words: AskedWords;
  workflow: string;
  show: ShowChanges;
}) {
  const [gone, setGone] = useState<AskedNode>();

  async function point(node: AskedNode) {
    const isShown = await show([{ kind: "changed", name: node.path, what: node.type }], workflow);
    setGone(isShown ? undefined : node);
  }

  return (
    <>
      {words.map((each, index) =>
        typeof each === "string" ? (
          each
        ) : (
          <Button
            // biome-ignore lint/suspicious/noArrayIndexKey: the words of a question stay as they are
            key={index}
            look="link"
            className="cass-asked-node"
            title="Show the node on the canvas"
            onClick={() => void point(each)}
          >
            {each.words}
          </Button>
        ),
      )}
      {gone && <span role="status"> {gone.words} is not on the canvas now.</span>}
    </>
  );
}

/** Whether the question has stood there for so long that an answer can be one to it. */
function useIsRead(request: ApprovalRequest): boolean {
  const [read, setRead] = useState<ApprovalRequest>();
  useEffect(() => {
    const timer = setTimeout(() => setRead(request), unreadFor);
    return () => clearTimeout(timer);
  }, [request]);
  return read === request;
}

/** Brings a question into view: the whole of it, or its beginning where it is longer than the conversation's room. */
function useShownFromItsBeginning() {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // In the next frame: in this one the conversation still follows its end.
    const frame = requestAnimationFrame(() => {
      const room = card.current?.closest(".cass-viewport")?.clientHeight ?? 0;
      const isLong = (card.current?.offsetHeight ?? 0) > room;
      card.current?.scrollIntoView({ block: isLong ? "start" : "nearest" });
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return card;
}

/** Has the focus until it goes, and gives it back. */
function useBorrowedFocus() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
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
