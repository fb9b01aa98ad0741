/** Tool calls that assistant-ui has ended itself. */

/**
 * What it writes down as the result of such a call. It has no code for it: both are constants of the library, in
 * `toolResultStream` and `useAISDKRuntime`.
 */
const reasons: Record<string, string> = {
  "Tool execution was cancelled.": "stopped",
  "User cancelled tool call by sending a new message.": "not run",
};

export function endedByAssistantUi(error: string): { state: "skipped"; reason: string } | undefined {
  const reason = reasons[error];
  return reason === undefined ? undefined : { state: "skipped", reason };
}
