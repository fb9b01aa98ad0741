import { useAuiState } from "@assistant-ui/react";
import { useMemo, useState } from "react";
import { reasonOf } from "../../shared/reasonOf";
import { useStore } from "../../shared/store";
import { Button } from "../../ui/Button";
import { RedoIcon, UndoIcon } from "../../ui/icons";
import { graphChangesOf } from "../calls/graphChanges";
import { useChatEnvironment } from "../chatContext";

const NOT_KNOWN = "Can't undo this any more. Ask me to change it back.";

/** The answer's turn, and whether what it changed is there now. */
export function useTurnState() {
  const { turns, turnUndo } = useChatEnvironment();
  const turn = useAuiState(
    ({ message }) =>
      turns.turnOf(message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : [])))
        ?.id,
  );
  useAuiState(({ message }) => message.isHovering);
  useStore(turnUndo.count);
  return { turn, state: turn === undefined ? undefined : turnUndo.state(turn) };
}

/** Takes back what the answer's turn has changed in the workflow, and makes it again; or says why it cannot. */
export function UndoTurnButton() {
  const { turnUndo } = useChatEnvironment();
  const { turn, state } = useTurnState();
  const parts = useAuiState(({ message }) => message.content);
  const hasChanged = useMemo(
    () => parts.some((part) => part.type === "tool-call" && graphChangesOf(part.result).length > 0),
    [parts],
  );
  const count = useStore(turnUndo.count);
  /** What was in the way is so until any turn is undone or redone. */
  const [said, setSaid] = useState<{ problem: string; count: number }>();
  const isUndone = state === "undone";

  const say = (problem: string) => setSaid({ problem, count: turnUndo.count.get() });

  async function toggle(id: string) {
    setSaid(undefined);
    try {
      const inTheWay = await turnUndo.toggle(id);
      if (inTheWay.length > 0)
        say(`Nothing was ${isUndone ? "redone" : "undone"}: ${inTheWay.join(", ")}. Put that right first.`);
    } catch (error) {
      say(reasonOf(error));
    }
  }

  if (state === undefined && !hasChanged) return null;
  const use =
    state === undefined
      ? NOT_KNOWN
      : isUndone
        ? "Make the changes of this turn again"
        : "Take back what this turn changed; later changes stay";
  return (
    <>
      {isUndone && <span role="status">Undone.</span>}
      <Button
        look="quiet"
        className="cass-undo"
        aria-disabled={state === undefined}
        title={use}
        onClick={() => (turn === undefined || state === undefined ? say(use) : void toggle(turn))}
      >
        {isUndone ? <RedoIcon /> : <UndoIcon />}
        {isUndone ? "Redo" : "Undo this turn"}
      </Button>
      {said?.count === count && <span role="alert">{said.problem}</span>}
    </>
  );
}
