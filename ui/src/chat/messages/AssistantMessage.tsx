import { type DataMessagePartProps, MessagePrimitive, useAui, useAuiState } from "@assistant-ui/react";
import { useAISDKChat, useAISDKError } from "@assistant-ui/react-ai-sdk";
import { detailsOf, errorDetails } from "../../api/errors";
import { Button } from "../../ui/Button";
import { CopyButton } from "../../ui/CopyButton";
import { IconButton } from "../../ui/IconButton";
import { InfoIcon, RetryIcon } from "../../ui/icons";
import { ToolCard } from "../calls/ToolCard";
import { useIsOldestOfPartialThread } from "../threads/useIsOldestOfPartialThread";
import { CONTINUE, canContinue, goOn, isStop, notice } from "../turn/turnNotice";
import { useRetry } from "../turn/useRetry";
import { useTurnIsRunning } from "../turn/useTurn";
import { AnswerText } from "./AnswerText";
import { describeAnswer } from "./answerMetadata";
import { BranchPicker } from "./BranchPicker";
import { CompactionDivider } from "./CompactionDivider";
import { ErrorNote } from "./ErrorNote";
import { Reasoning } from "./Reasoning";
import { TurnFactsLine } from "./TurnFactsLine";
import { UndoTurnButton, useTurnState } from "./UndoTurnButton";
import { Waiting } from "./Waiting";

const parts = {
  Text: AnswerText,
  Reasoning,
  Empty: () => null,
  tools: { Override: ToolCard },
  data: {
    by_name: { error: ErrorPart, notice: NoticePart, compaction: CompactionDivider },
    Fallback: () => null,
  },
};

export function AssistantMessage() {
  const { state } = useTurnState();
  return (
    <MessagePrimitive.Root
      className="cass-message cass-assistant"
      role="article"
      aria-label="Assistant"
      data-undone={state === "undone" || undefined}
    >
      <MessagePrimitive.Parts components={parts} unstable_showEmptyOnNonTextEnd={false} />
      <End />
    </MessagePrimitive.Root>
  );
}

/** What stands below the parts: that more is coming, that it stopped, that it failed, or who wrote it. */
function End() {
  const status = useAuiState(({ message }) => message.status);
  const last = useAuiState(({ message }) => message.isLast);
  const running = useTurnIsRunning();
  const aui = useAui();
  const toldWhy = useAuiState(({ message }) =>
    message.parts.some(
      (part) => part.type === "data" && part.name === "error" && !isFollowedByWork(message.parts, part.data),
    ),
  );
  const toldStop = useAuiState(({ message }) => isStop(message.parts.at(-1)));
  if (last && running) return <Waiting />;
  // A page that has stopped it itself reads it again where another one shows it, too.
  if (status?.type === "incomplete" && status.reason === "cancelled" && !toldStop)
    return (
      <>
        <Line text="Stopped." {...(last && { onContinue: () => aui.thread.append(CONTINUE) })} />
        <TurnFactsLine />
        <Footer />
      </>
    );
  if (toldWhy || (status?.type === "incomplete" && status.reason === "error"))
    return (
      <>
        {!toldWhy && <Failure />}
        <TurnFactsLine />
        <div className="cass-footer" data-last>
          <UndoTurnButton />
        </div>
      </>
    );
  return (
    <>
      <TurnFactsLine />
      <Footer />
    </>
  );
}

/** A failure without an explanation from the server, such as a broken connection. */
function Failure() {
  const error = useAISDKError();
  const retry = useRetry();
  return <ErrorNote details={detailsOf(error)} onRetry={retry} />;
}

function ErrorPart({ data }: DataMessagePartProps) {
  const retry = useRetry();
  const last = useAuiState(({ message }) => message.isLast);
  const overcome = useAuiState(({ message }) => isFollowedByWork(message.parts, data));
  const parsed = errorDetails.safeParse(data);
  if (!parsed.success || overcome) return null;
  return <ErrorNote details={parsed.data} onRetry={last ? retry : undefined} />;
}

/** Whether the turn went on after a failure, so that nobody has to do anything about it. */
function isFollowedByWork(parts: readonly { type: string; data?: unknown }[], failure: unknown): boolean {
  const index = parts.findIndex(({ data }) => data === failure);
  return parts.slice(index + 1).some(({ type }) => type === "text" || type === "tool-call");
}

function NoticePart({ data }: DataMessagePartProps) {
  const aui = useAui();
  const last = useAuiState(({ message }) => message.isLast);
  const offered = !useTurnIsRunning() && last;
  const parsed = notice.safeParse(data);
  if (!parsed.success) return null;
  return (
    <Line
      text={parsed.data.message}
      {...(offered && canContinue(parsed.data) && { onContinue: () => aui.thread.append(goOn(parsed.data)) })}
    />
  );
}

function Line({ text, onContinue }: { text: string; onContinue?: () => void }) {
  return (
    <p className="cass-notice">
      <InfoIcon />
      <span>{text}</span>
      {onContinue && <Button onClick={onContinue}>Continue</Button>}
    </p>
  );
}

function Footer() {
  const aui = useAui();
  const chat = useAISDKChat();
  const id = useAuiState(({ message }) => message.id);
  const about = useAuiState(({ message }) => message.metadata.custom);
  const last = useAuiState(({ message }) => message.isLast);
  const hasText = useAuiState(({ message }) => message.parts.some(({ type }) => type === "text"));
  const repeatable = !useIsOldestOfPartialThread();
  return (
    <div className="cass-footer" data-last={last || undefined}>
      <BranchPicker />
      <span className="cass-about">{describeAnswer(about)}</span>
      {hasText && <CopyButton label="Copy answer" text={() => aui.message.getCopyText()} />}
      <UndoTurnButton />
      {last && repeatable && (
        <IconButton label="Answer again" onClick={() => void chat?.regenerate({ messageId: id })}>
          <RetryIcon />
        </IconButton>
      )}
    </div>
  );
}
