import type { StatusState } from "./useStatus";

/** Who answers in the open chat, and whether they can; opens the menu of all. */
export function ModelChip({ status, onOpen }: { status: StatusState; onOpen(): void }) {
  const { state, label, title } = describe(status);
  return (
    <button
      type="button"
      className="cass-quiet-button cass-model"
      data-state={state}
      title={title}
      aria-label={`${title}. Choose a model`}
      aria-haspopup="menu"
      onClick={onOpen}
    >
      <i />
      <span>{label}</span>
    </button>
  );
}

function describe(status: StatusState): { state: string; label: string; title: string } {
  if (status.kind === "loading") return { state: "loading", label: "…", title: "Looking for the model" };
  if (status.kind === "failed")
    return { state: "failed", label: "Unavailable", title: status.details.message };
  const { model } = status;
  if (model.state === "needs-setup")
    return { state: "setup", label: "Set up a model", title: "No model is set up yet" };
  return { state: "ready", label: model.label, title: `${model.label} at ${model.baseUrl}` };
}
