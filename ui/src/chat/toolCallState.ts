import { z } from "zod";

/** A tool call as one line of the conversation shows it. */
export type ToolCallState =
  | { state: "writing" }
  | { state: "running" }
  /** Its tool asks the person before it goes on. */
  | { state: "waiting" }
  | { state: "succeeded"; summary: string }
  | { state: "failed"; error: string; hint?: string }
  /** Stopped, or left without a result when the page was reloaded. */
  | { state: "skipped"; reason: string };

const toolResult = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), summary: z.string() }),
  z.object({ ok: z.literal(false), error: z.string(), hint: z.string().optional() }),
]);

const thrown = z.object({ error: z.string() });

/** What assistant-ui writes down as the result of a call that it ends itself. */
const SKIPPED_BY_ASSISTANT_UI: Record<string, string> = {
  "Tool execution was cancelled.": "stopped",
  "User cancelled tool call by sending a new message.": "not run",
};

interface Call {
  result: unknown;
  isError: boolean;
  /** Its message is the one that is being answered. */
  active: boolean;
  /** Its tool has asked the person something. */
  asking: boolean;
  /** Its arguments have arrived whole. */
  written: boolean;
}

export function toolCallState({ result, isError, active, asking, written }: Call): ToolCallState {
  if (result === undefined) {
    if (asking) return { state: "waiting" };
    if (!active) return { state: "skipped", reason: "not run" };
    return { state: written ? "running" : "writing" };
  }
  if (isError) {
    const error = thrown.safeParse(result).data?.error ?? "The tool failed.";
    const reason = SKIPPED_BY_ASSISTANT_UI[error] ?? notRun(error);
    return reason === undefined ? { state: "failed", error } : { state: "skipped", reason };
  }
  const known = toolResult.safeParse(result);
  if (!known.success) return { state: "succeeded", summary: "" };
  if (known.data.ok) return { state: "succeeded", summary: known.data.summary };
  const { error, hint } = known.data;
  if (/\bstopped by the user\b|\buser stopped\b/i.test(error)) return { state: "skipped", reason: "stopped" };
  if (error.startsWith("The user declined: ")) return { state: "skipped", reason: "declined" };
  return { state: "failed", error, ...(hint !== undefined && { hint }) };
}

/** Why our server did not run a call; what follows tells the model what to do about it. */
function notRun(error: string): string | undefined {
  const why = /^Not run: ([^.]+)\./.exec(error)?.[1];
  return why && `not run: ${why}`;
}
