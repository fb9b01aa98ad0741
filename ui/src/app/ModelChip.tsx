import { Button } from "../ui/Button";
import type { StatusState } from "./useStatus";

interface Props {
  status: StatusState;
  onOpen(what: "models" | "settings"): void;
}

/** Who answers in the open chat, and whether they can; opens the menu of all, or the settings where there is none yet. */
export function ModelChip({ status, onOpen }: Props) {
  const { state, label, title } = describe(status);
  const isMenu = state !== "setup";
  return (
    <Button
      look="quiet"
      className="cass-model"
      data-state={state}
      title={title}
      aria-label={isMenu ? `${title}. Choose a model` : `${title}. ${label}`}
      aria-haspopup={isMenu ? "dialog" : undefined}
      onClick={() => onOpen(isMenu ? "models" : "settings")}
    >
      <i />
      <span>{label}</span>
    </Button>
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
