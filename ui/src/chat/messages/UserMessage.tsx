import { MessagePrimitive, useAui, useAuiState } from "@assistant-ui/react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { piecesOf } from "../../shared/attachedText";
import { Button } from "../../ui/Button";
import { CopyButton } from "../../ui/CopyButton";
import { IconButton } from "../../ui/IconButton";
import { PencilIcon } from "../../ui/icons";
import { useHeightOfContent } from "../../ui/useHeightOfContent";
import { FilesOfMessage } from "../composer/AttachedFiles";
import { useIsOldestOfPartialThread } from "../threads/useIsOldestOfPartialThread";
import { useTurnIsRunning } from "../turn/useTurn";
import { BranchPicker } from "./BranchPicker";

const parts = {
  Text: ({ text }: { text: string }) =>
    piecesOf(text).map((piece) =>
      piece.kind === "text" ? (
        <span key={piece.text} dir="auto">
          {piece.text}
        </span>
      ) : (
        <details key={piece.text} className="cass-attached">
          <summary>{piece.name}</summary>
          <pre>{piece.text}</pre>
        </details>
      ),
    ),
};

export function UserMessage() {
  const aui = useAui();
  const editable = !useIsOldestOfPartialThread();
  const running = useTurnIsRunning();
  return (
    <MessagePrimitive.Root className="cass-message cass-user" role="article" aria-label="You">
      <div className="cass-bubble">
        <FilesOfMessage />
        <MessagePrimitive.Parts components={parts} />
      </div>
      <BranchPicker />
      <div className="cass-actions">
        <CopyButton label="Copy message" text={() => aui.message.getCopyText()} />
        {editable && (
          <IconButton
            label="Edit message"
            disabled={running}
            onClick={() => aui.message.composer().beginEdit()}
          >
            <PencilIcon />
          </IconButton>
        )}
      </div>
    </MessagePrimitive.Root>
  );
}

/** Takes the place of a message while it is rewritten; sending drops everything that came after it. */
export function UserMessageEditor() {
  const aui = useAui();
  const text = useAuiState(({ message }) => message.composer.text);
  const area = useRef<HTMLTextAreaElement>(null);
  useHeightOfContent(area, text);
  useEffect(() => {
    const element = area.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
    element?.scrollTo({ top: element.scrollHeight });
  }, []);
  const cancel = () => aui.message.composer().cancel();
  const send = () => {
    if (text.trim()) aui.message.composer().send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      cancel();
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <MessagePrimitive.Root className="cass-message cass-user cass-editing">
      <div className="cass-bubble">
        <FilesOfMessage />
        <textarea
          ref={area}
          className="cass-editor"
          aria-label="Edit message"
          rows={1}
          value={text}
          onChange={(event) => aui.message.composer().setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <div className="cass-row">
          <Button onClick={cancel}>Cancel</Button>
          <Button look="primary" disabled={!text.trim()} onClick={send}>
            Send again
          </Button>
        </div>
      </div>
    </MessagePrimitive.Root>
  );
}
