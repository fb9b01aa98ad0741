import { useAui } from "@assistant-ui/react";
import type { ModelStatus } from "../api/replies";

const EXAMPLES = [
  "Make a red 64×64 image and save it",
  "Explain this workflow step by step",
  "Make this workflow run here",
  "Add an upscaler before the image is saved",
  "Why did the last run fail?",
];

/** What a new chat shows: what can be said, and to whom. */
export function EmptyState({ model }: { model: ModelStatus | undefined }) {
  const aui = useAui();
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
      {model && <p className="cass-quiet">{model.notice ?? whoIsTalking(model)}</p>}
    </div>
  );
}

function whoIsTalking({ state, label, local }: ModelStatus): string {
  if (state === "needs-setup") return "No model is set up yet.";
  return `You are talking to ${label}${local ? ", on this machine" : ""}.`;
}
