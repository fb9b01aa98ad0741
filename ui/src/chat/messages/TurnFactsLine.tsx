import { useAuiState } from "@assistant-ui/react";
import { useMemo, useState } from "react";
import { Button } from "../../ui/Button";
import { useChatEnvironment } from "../chatContext";
import { turnFacts } from "../turn/turnFacts";
import { useTurnState } from "./UndoTurnButton";

const NOT_THERE = "Nothing of it is on the canvas now.";

/** What the answer's calls have done, whatever its text says. A click shows the nodes on the canvas. */
export function TurnFactsLine() {
  const { showChanges, turns } = useChatEnvironment();
  const { state } = useTurnState();
  const parts = useAuiState(({ message }) => message.content);
  const calls = useMemo(() => parts.flatMap((part) => (part.type === "tool-call" ? [part] : [])), [parts]);
  const { words, changes } = useMemo(() => turnFacts(calls), [calls]);
  const [isNotThere, setIsNotThere] = useState(false);
  const canBeShown = state !== "undone" && changes.some(({ kind }) => kind !== "removed");
  if (!canBeShown) return <p className="cass-facts">{words}</p>;

  async function show() {
    const turn = turns.turnOf(calls.map(({ toolCallId }) => toolCallId));
    const workflow = turn?.begunBy ? undefined : turn?.workflow;
    setIsNotThere(!(await showChanges(changes, workflow)));
  }

  return (
    <p className="cass-facts">
      <Button look="link" title="Show the nodes on the canvas" onClick={() => void show()}>
        {words}
      </Button>
      {isNotThere && <span role="status">{NOT_THERE}</span>}
    </p>
  );
}
