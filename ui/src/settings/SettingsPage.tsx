import type { ComponentProps } from "react";
import { ModelHosts } from "./ModelHosts";
import { ProvidersPage } from "./ProvidersPage";

/** All that is entered once: the models, then the hosts that model files may come from. */
export function SettingsPage({
  onSkills,
  ...props
}: ComponentProps<typeof ProvidersPage> & { onSkills(): void }) {
  return (
    <>
      <ProvidersPage {...props} />
      <ModelHosts api={props.api} />
      <p>
        <button type="button" className="cass-link" onClick={onSkills}>
          Skills
        </button>
      </p>
    </>
  );
}
