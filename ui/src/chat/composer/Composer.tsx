import { useAui, useAuiState } from "@assistant-ui/react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { IconButton } from "../../ui/IconButton";
import { SendIcon, StopIcon } from "../../ui/icons";
import { useHeightOfContent } from "../../ui/useHeightOfContent";
import { FOCUS_HOME } from "../../ui/useKeptFocus";
import { useStopTurn, useTurnIsRunning } from "../turn/useTurn";
import { AttachButton } from "./AttachButton";
import { FilesToSend } from "./AttachedFiles";
import { type CompletionItem, CompletionList } from "./CompletionList";
import { ComposerNoticeLine } from "./ComposerNoticeLine";
import type { ComposerNotice } from "./composerNotice";
import { pastedFiles } from "./pastedFiles";
import { QueuedMessages } from "./QueuedMessages";
import type { useAttachments } from "./useAttachments";
import { useDraft } from "./useDraft";
import { useQueue } from "./useQueue";

/** What becomes of a text on Enter: sent, dealt with in the panel (leaving `text`), or kept with a hint. */
export type Submission = { kind: "send" } | { kind: "done"; text: string } | { kind: "keep"; hint: string };

interface Props {
  placeholder: string;
  notice: ComposerNotice | undefined;
  onNotice(notice: ComposerNotice | undefined): void;
  completions(text: string): readonly CompletionItem[];
  onSubmit(text: string): Submission;
  files: ReturnType<typeof useAttachments>;
  /** Changes each time the composer should take the focus. */
  focusRequest: number;
  /** Stands above the row. */
  above?: ReactNode;
  /** Stands at the end of the row, before the button. */
  children?: ReactNode;
}

export function Composer({
  placeholder,
  notice,
  onNotice,
  completions,
  onSubmit,
  files,
  focusRequest,
  above,
  children,
}: Props) {
  const aui = useAui();
  const text = useAuiState(({ thread }) => thread.composer.text);
  const running = useTurnIsRunning();
  const stop = useStopTurn();
  const { attachments, isUploading, add } = files;
  const isEmpty = !text.trim() && attachments.length === 0;
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const [dismissed, setDismissed] = useState<string>();
  const [chosen, setChosen] = useState(0);
  const queue = useQueue();
  const offered = dismissed === text ? [] : completions(text);
  const selected = Math.min(chosen, offered.length - 1);
  useDraft();
  useHeightOfContent(area, text);
  useEffect(() => {
    if (focusRequest > 0) area.current?.focus();
  }, [focusRequest]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a hint is about the moment; here that moment is over
  useEffect(() => {
    if (!running && notice?.kind === "hint") onNotice(undefined);
  }, [running]);

  const setText = (next: string) => aui.thread.composer().setText(next);

  function submit(typed: string, isUrgent = false) {
    if (!typed.trim() && attachments.length === 0) return;
    const submission = onSubmit(typed);
    if (submission.kind === "keep") return onNotice({ kind: "hint", text: submission.hint });
    if (submission.kind === "done") return setText(submission.text);
    if (isUploading)
      return onNotice({ kind: "hint", text: "The file is on its way to ComfyUI. Send again in a moment." });
    onNotice(undefined);
    if (!running && !queue.isStopping) return aui.thread.composer().send();
    if (!queue.add(typed, attachments, isUrgent || queue.isStopping))
      onNotice({ kind: "hint", text: "The chat is just being made. Send again in a moment." });
  }

  function choose(item: CompletionItem) {
    setChosen(0);
    setText(item.text);
    if (item.submits) submit(item.text);
    area.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const item = offered[selected];
    if (item && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen((selected + step + offered.length) % offered.length);
    } else if (item && (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey))) choose(item);
    else if (item && event.key === "Escape") setDismissed(text);
    else if (event.key === "Enter" && !event.shiftKey) submit(text, event.ctrlKey || event.metaKey);
    else if (event.key === "ArrowUp" && isEmpty && queue.messages.length > 0) queue.editLast();
    else return;
    event.preventDefault();
  }

  return (
    <div className="cass-composer-area">
      <div className="cass-above">
        {above}
        {queue.messages.length > 0 && <QueuedMessages running={running} {...queue} />}
        {notice && (
          <ComposerNoticeLine
            notice={notice}
            onRetry={isEmpty ? undefined : () => submit(text)}
            onDismiss={() => onNotice(undefined)}
          />
        )}
        <FilesToSend attachments={attachments} />
      </div>
      <div className="cass-composer">
        <CompletionList
          id={listId}
          items={offered}
          selected={selected}
          onSelect={setChosen}
          onChoose={choose}
        />
        <textarea
          ref={area}
          className="cass-input"
          dir="auto"
          rows={1}
          placeholder={placeholder}
          aria-label="Message to the assistant"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={offered.length > 0}
          aria-controls={listId}
          aria-activedescendant={offered.length > 0 ? `${listId}-${selected}` : undefined}
          {...FOCUS_HOME}
          value={text}
          onChange={(event) => {
            setChosen(0);
            setText(event.target.value);
            if (notice?.kind === "hint") onNotice(undefined);
          }}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const files = pastedFiles(event.clipboardData);
            if (files.length > 0) event.preventDefault();
            add(files);
          }}
        />
        {/* Before the others, which stay where they are when a turn begins or ends. */}
        {running && (
          <IconButton className="cass-send" label="Stop (Escape)" onClick={stop}>
            <StopIcon />
          </IconButton>
        )}
        <AttachButton onFiles={add} />
        {children}
        <IconButton
          className="cass-send"
          label={running ? "Send when this turn is over (Enter)" : "Send (Enter)"}
          disabled={isEmpty}
          onClick={() => submit(text)}
        >
          <SendIcon />
        </IconButton>
      </div>
    </div>
  );
}
