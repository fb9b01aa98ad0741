import { z } from "zod";
import { type FailureCode, failureCodes } from "../../shared/toolCalls";
import { endedByAssistantUi } from "./endedByAssistantUi";

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
  z.object({
    ok: z.literal(false),
    code: z.enum(failureCodes).optional().catch(undefined),
    error: z.string(),
    hint: z.string().optional(),
  }),
]);

const thrown = z.object({ error: z.string() });

/** Of calls that were not carried out, for the person; what a model is told stands in the result. */
const skipped: Record<Exclude<FailureCode, "out-of-memory">, string> = {
  stopped: "stopped",
  declined: "declined",
  "cut-off": "not run: the reply ended before this call was complete",
  "too-many-calls": "not run: too many calls in one step",
  repeated: "not run: this call has been repeated too often",
  "other-workflow": "not run: another workflow is open than the one that was meant",
};

interface Call {
  result: unknown;
  /** The library or the protocol settled it: its result is a text alone. */
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
    return endedByAssistantUi(error) ?? { state: "failed", error };
  }
  const known = toolResult.safeParse(result);
  if (!known.success) return { state: "succeeded", summary: "" };
  if (known.data.ok) return { state: "succeeded", summary: known.data.summary };
  const { code, error, hint } = known.data;
  if (code !== undefined && code !== "out-of-memory") return { state: "skipped", reason: skipped[code] };
  return { state: "failed", error, ...(hint !== undefined && { hint }) };
}
