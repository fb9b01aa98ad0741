import type { ComponentProps } from "react";
import { ModelHosts } from "./ModelHosts";
import { ProviderForm } from "./ProviderForm";

/** All that is entered once: the model, then the hosts that model files may come from. */
export function SettingsPage(props: ComponentProps<typeof ProviderForm>) {
  return (
    <>
      <ProviderForm {...props} />
      <ModelHosts api={props.api} />
    </>
  );
}
