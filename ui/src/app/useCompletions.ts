import { useAuiState } from "@assistant-ui/react";
import type { AssistantApi } from "../api/assistantApi";
import { useThreadId } from "../chat/threads/useThreadId";
import { completionsFor } from "../slash/completions";
import { useChoices } from "../slash/useChoices";

/** What a command in the open thread's composer can be completed with. */
export function useCompletions(api: AssistantApi) {
  const command = useAuiState(({ thread }) =>
    thread.composer.text.startsWith("/") ? thread.composer.text : "",
  );
  const choices = useChoices(api, command, useThreadId());
  return (text: string) => completionsFor(text, choices);
}
