import type { HTMLAttributes, Ref } from "react";
import { useLook } from "./look";

/** The element that holds all of the panel, and in which its styles hold. */
export function PanelRoot(props: HTMLAttributes<HTMLDivElement> & { ref?: Ref<HTMLDivElement> }) {
  return <div className="cass-root" data-look={useLook()} {...props} />;
}
