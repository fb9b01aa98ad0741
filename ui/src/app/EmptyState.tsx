import { useAui } from "@assistant-ui/react";
import { type ComponentProps, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ModelStatus } from "../api/replies";
import { useChatEnvironment } from "../chat/chatContext";
import { Button } from "../ui/Button";
import { WiderWindowNote } from "../ui/WiderWindowNote";
import { FirstRun } from "../you/FirstRun";
import type { Suggest } from "./suggestions";

/** In milliseconds: ComfyUI does not tell when another workflow comes to the front. */
const BETWEEN_LOOKS = 1000;

interface Props {
  model: ModelStatus | undefined;
  suggest: Suggest;
  /** There, where the person may be asked about themselves. */
  firstRun: ComponentProps<typeof FirstRun> | false;
}

/** What a new chat shows: what can be said, and to whom. */
export function EmptyState({ model, suggest, firstRun }: Props) {
  const aui = useAui();
  const { openModels } = useChatEnvironment();
  const suggestions = useSuggestions(suggest, model?.slim ?? true);
  const [isAsked, setAsked] = useState(false);
  const state = useRef<HTMLDivElement>(null);
  // The form that stood in its place may have been scrolled.
  useLayoutEffect(() => {
    state.current?.closest("section")?.scrollTo(0, 0);
  }, []);
  if (firstRun && isAsked) return <FirstRun {...firstRun} />;
  return (
    <div className="cass-empty" ref={state}>
      <h2>What shall we build?</h2>
      <p>I read and edit the open workflow, run it, and look at the result.</p>
      <div className="cass-examples">
        {suggestions.map((example) => (
          <Button key={example} look="chip" onClick={() => aui.thread.append(example)}>
            {example}
          </Button>
        ))}
      </div>
      {firstRun && (
        <Button look="link" onClick={() => setAsked(true)}>
          New here? Tell me how you like to work
        </Button>
      )}
      {model && <p className="cass-quiet">{model.notice ?? whoIsTalking(model)}</p>}
      {model?.notice && (
        <Button look="link" onClick={openModels}>
          Connect another model
        </Button>
      )}
      {model?.widerWindow && <WiderWindowNote {...model.widerWindow} />}
    </div>
  );
}

function useSuggestions(suggest: Suggest, isSlim: boolean): readonly string[] {
  const [suggestions, setSuggestions] = useState<readonly string[]>([]);
  useEffect(() => {
    const suggested = suggest(isSlim);
    const look = () => {
      const now = suggested();
      setSuggestions((before) => (before.join() === now.join() ? before : now));
    };
    look();
    const looks = setInterval(look, BETWEEN_LOOKS);
    return () => clearInterval(looks);
  }, [suggest, isSlim]);
  return suggestions;
}

function whoIsTalking({ state, label, local }: ModelStatus): string {
  if (state === "needs-setup") return "No model is set up yet.";
  return `You are talking to ${label}${local ? ", on this machine" : ""}.`;
}
