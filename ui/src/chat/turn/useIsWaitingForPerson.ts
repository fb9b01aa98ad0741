import { useStore } from "../../shared/store";
import { useChatEnvironment } from "../chatContext";

/** Whether a tool of that chat has a question to which nobody has answered yet. */
export function useIsWaitingForPerson(threadId: string | undefined): boolean {
  const { approvals, turns } = useChatEnvironment();
  const asking = [...useStore(approvals.pending).keys()];
  return threadId !== undefined && asking.some((call) => turns.turnOf([call])?.thread === threadId);
}
