import { useAuiState } from "@assistant-ui/react";
import { useEffect, useState } from "react";
import { UndoIcon } from "../shared/icons";
import { useChatEnvironment } from "./chatContext";

/** Takes back what the answer's turn has changed in the workflow; there as long as that is possible. */
export function UndoTurnButton() {
  const { turnUndo } = useChatEnvironment();
  const turn = useAuiState(({ thread, message }) => thread.messages[message.index - 1]?.id);
  const isPointedAt = useAuiState(({ message }) => message.isHovering);
  const [isPossible, setIsPossible] = useState(false);
  const [failure, setFailure] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the person may have changed the workflow since the last look
  useEffect(
    () => setIsPossible(turn !== undefined && turnUndo.isPossible(turn)),
    [turnUndo, turn, isPointedAt],
  );
  if (failure !== undefined) return <span role="alert">{failure}</span>;
  if (turn === undefined || !isPossible) return null;
  async function undo(id: string) {
    try {
      setIsPossible(false);
      if (!(await turnUndo.undo(id)))
        setFailure("The workflow was changed since. Press Ctrl+Z on the canvas instead.");
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <button
      type="button"
      className="cass-undo"
      title="Put the workflow back as it was before this turn"
      onClick={() => void undo(turn)}
    >
      <UndoIcon />
      Undo this turn
    </button>
  );
}
