import type { ComponentProps } from "react";
import { ModelHosts } from "./ModelHosts";
import { ProviderForm } from "./ProviderForm";

/** All that is entered once: the model, then the hosts that model files may come from. */
export function SettingsPage({
  onSkills,
  onCosts,
  ...props
}: ComponentProps<typeof ProviderForm> & { onSkills(): void; onCosts(): void }) {
  return (
    <>
      <ProviderForm {...props} />
      <ModelHosts api={props.api} />
      <p className="cass-buttons">
        <button type="button" className="cass-link" onClick={onSkills}>
          Skills
        </button>
        <button type="button" className="cass-link" onClick={onCosts}>
          Costs and budgets
        </button>
      </p>
    </>
  );
}
