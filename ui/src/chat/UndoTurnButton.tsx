import { useAuiState } from "@assistant-ui/react";
import { useEffect, useState } from "react";
import { UndoIcon } from "../shared/icons";
import { useChatEnvironment } from "./chatContext";

type State = "possible" | "covered" | "impossible";

const COVERED =
  "The workflow was changed after this turn. Press Ctrl+Z on the canvas until those changes are taken back, then undo the turn.";

/** Takes back what the answer's turn has changed in the workflow; there as long as these changes are. */
export function UndoTurnButton() {
  const { turns, turnUndo } = useChatEnvironment();
  const turn = useAuiState(
    ({ message }) =>
      turns.turnOf(message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])))
        ?.id,
  );
  const isPointedAt = useAuiState(({ message }) => message.isHovering);
  const [state, setState] = useState<State>("impossible");
  const [problem, setProblem] = useState<string>();
  const [isUndone, setIsUndone] = useState(false);

  function look() {
    if (turn === undefined) return setState("impossible");
    setState(turnUndo.isPossible(turn) ? "possible" : turnUndo.isCovered(turn) ? "covered" : "impossible");
  }
  async function undo(id: string) {
    try {
      const isDone = await turnUndo.undo(id);
      setIsUndone(isDone);
      setProblem(isDone ? undefined : COVERED);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    look();
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the person may have changed the workflow since the last look
  useEffect(look, [turnUndo, turn, isPointedAt]);
  useEffect(() => {
    if (state === "possible") setProblem(undefined);
  }, [state]);

  return (
    <>
      {turn !== undefined && state !== "impossible" && (
        <button
          type="button"
          className="cass-quiet-button cass-undo"
          aria-disabled={state === "covered"}
          title={state === "covered" ? COVERED : "Put the workflow back as it was before this turn"}
          onClick={() => (state === "covered" ? setProblem(COVERED) : void undo(turn))}
        >
          <UndoIcon />
          Undo this turn
        </button>
      )}
      {isUndone && state === "impossible" && <span role="status">The workflow is as it was before.</span>}
      {problem !== undefined && <span role="alert">{problem}</span>}
    </>
  );
}
