import { Component, type ReactNode } from "react";
import { reasonOf } from "../shared/reasonOf";
import { PanelRoot } from "../ui/PanelRoot";
import { StartFailure } from "./StartFailure";

/** A fault in the panel's own drawing must not leave an empty panel. */
export class CrashBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <PanelRoot>
        <StartFailure
          title="The panel has failed"
          details={{
            code: "panel_failed",
            message: reasonOf(error),
            hint: "Nothing of the conversation is lost: the server has it. If this happens again, reload the page.",
          }}
          onRetry={() => this.setState({ error: undefined })}
        />
      </PanelRoot>
    );
  }
}
