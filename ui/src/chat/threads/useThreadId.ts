import { useAuiState } from "@assistant-ui/react";

/** The id of the open thread; undefined until the server knows it. */
export function useThreadId(): string | undefined {
  return useAuiState(({ threadListItem }) => threadListItem.remoteId);
}
