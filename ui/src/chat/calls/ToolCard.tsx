import type { ToolCallMessagePartProps } from "@assistant-ui/react";
import { useAuiState } from "@assistant-ui/react";
import { useId, useState } from "react";
import { linksInWords } from "../../shared/graphChanges";
import { parseJson } from "../../shared/json";
import { useKeyed } from "../../shared/store";
import { Button } from "../../ui/Button";
import { CopyButton } from "../../ui/CopyButton";
import { AlertIcon, CheckIcon, ChevronIcon, HandIcon, SkipIcon } from "../../ui/icons";
import { useChatEnvironment } from "../chatContext";
import { useTurnIsRunning } from "../turn/useTurn";
import { ApprovalQuestion } from "./ApprovalQuestion";
import { GraphChangeList } from "./GraphChangeList";
import { graphChangesOf } from "./graphChanges";
import { ToolOutput } from "./ToolOutput";
import { type ToolCallState, toolCallState } from "./toolCallState";

/** A tool call: one line until it is opened, and whatever its tool has to show. */
export function ToolCard({
  toolName,
  toolCallId,
  args,
  argsText,
  result,
  isError,
  status,
}: ToolCallMessagePartProps) {
  const { presentTool, progress, approvals, freeMemory } = useChatEnvironment();
  const last = useAuiState(({ message }) => message.isLast);
  const running = useTurnIsRunning();
  const latest = useKeyed(progress, toolCallId);
  const question = useKeyed(approvals.pending, toolCallId);
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  const tool = presentTool(toolName);
  const call = toolCallState({
    result,
    isError: isError === true,
    active: running && last,
    asking: question !== undefined,
    written: status.type !== "running" || parseJson(argsText) !== undefined,
  });
  const shown = tool.render?.({ args, result: latest?.soFar ?? result, freeMemory });
  const changes = graphChangesOf(result);
  const outcome =
    call.state === "succeeded"
      ? (tool.outcome?.(result) ?? (changes.length > 0 ? linksInWords(call.summary) : call.summary))
      : outcomeWords(call);
  return (
    <div className="cass-tool" data-state={call.state} data-tool={toolName}>
      <Button
        look="line"
        className="cass-tool-line"
        aria-expanded={open}
        aria-controls={bodyId}
        onClick={() => setOpen(!open)}
      >
        <span className="cass-tool-state" role="img" aria-label={stateName[call.state]}>
          <StateIcon state={call.state} />
        </span>
        <span className="cass-tool-label">{tool.label(args)}</span>
        <span className="cass-tool-outcome">
          {call.state === "waiting" ? outcome : (latest?.text ?? outcome)}
        </span>
        <span className="cass-chevron">
          <ChevronIcon />
        </span>
      </Button>
      {latest?.fraction !== undefined && (
        <progress className="cass-tool-progress" value={latest.fraction} aria-label={latest.text} />
      )}
      {question && <ApprovalQuestion key={question.title} request={question} />}
      {open && (
        <div className="cass-tool-body" id={bodyId}>
          {call.state === "failed" && (
            <p className="cass-tool-failure">
              {call.error} {call.hint}
            </p>
          )}
          <Json title="Arguments" value={args} />
          {result !== undefined && <Json title="Result" value={result} />}
        </div>
      )}
      {!open && call.state === "succeeded" && <GraphChangeList changes={changes} />}
      {shown != null && shown !== false && <ToolOutput>{shown}</ToolOutput>}
    </div>
  );
}

const stateName: Record<ToolCallState["state"], string> = {
  writing: "Being written",
  running: "Running",
  waiting: "Waiting for you",
  succeeded: "Done",
  failed: "Failed",
  skipped: "Not run",
};

function StateIcon({ state }: { state: ToolCallState["state"] }) {
  if (state === "succeeded") return <CheckIcon />;
  if (state === "failed") return <AlertIcon />;
  if (state === "skipped") return <SkipIcon />;
  if (state === "waiting") return <HandIcon />;
  return <span className="cass-spinner" />;
}

function outcomeWords(call: Exclude<ToolCallState, { state: "succeeded" }>): string {
  switch (call.state) {
    case "failed":
      return call.error;
    case "skipped":
      return call.reason;
    case "waiting":
      return "waiting for you";
    case "writing":
    case "running":
      return "";
  }
}

function Json({ title, value }: { title: string; value: unknown }) {
  const text = JSON.stringify(value, withoutFileContents, 2);
  return (
    <section className="cass-sunken cass-tool-json" aria-label={title}>
      <header>
        <span>{title}</span>
        <CopyButton label={`Copy ${title.toLowerCase()}`} text={() => text} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll area must be reachable with the keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

/** Images that a tool shows to the model travel in its result, as long data URLs. */
function withoutFileContents(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.startsWith("data:") && value.length > 200
    ? `${value.slice(0, 40)}… (${value.length} characters)`
    : value;
}
