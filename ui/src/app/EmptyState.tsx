import { useAui } from "@assistant-ui/react";
import { type ComponentProps, useState } from "react";
import type { ModelStatus } from "../api/replies";
import { LazyView } from "../shared/LazyView";
import type { FirstRun } from "../you/FirstRun";
import { firstRun as questions } from "./lazyViews";

const EXAMPLES = [
  "Make a red 64×64 image and save it",
  "Explain this workflow step by step",
  "Make this workflow run here",
  "Add an upscaler before the image is saved",
  "Why did the last run fail?",
];

interface Props {
  model: ModelStatus | undefined;
  /** There, where the person may be asked about themselves. */
  firstRun: ComponentProps<typeof FirstRun> | false;
}

/** What a new chat shows: what can be said, and to whom. */
export function EmptyState({ model, firstRun }: Props) {
  const aui = useAui();
  const [isAsked, setAsked] = useState(false);
  if (firstRun && isAsked) return <LazyView name="The questions" view={questions} props={firstRun} />;
  return (
    <div className="cass-empty">
      <h2>What shall we build?</h2>
      <p>I read and edit the open workflow, run it, and look at the result.</p>
      <div className="cass-examples">
        {EXAMPLES.map((example) => (
          <button
            key={example}
            type="button"
            className="cass-chip"
            onClick={() => aui.thread.append(example)}
          >
            {example}
          </button>
        ))}
      </div>
      {firstRun && (
        <button type="button" className="cass-link" onClick={() => setAsked(true)}>
          New here? Tell me how you like to work
        </button>
      )}
      {model && <p className="cass-quiet">{model.notice ?? whoIsTalking(model)}</p>}
    </div>
  );
}

function whoIsTalking({ state, label, local }: ModelStatus): string {
  if (state === "needs-setup") return "No model is set up yet.";
  return `You are talking to ${label}${local ? ", on this machine" : ""}.`;
}
