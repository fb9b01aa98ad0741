import type { ReactNode } from "react";
import { Button } from "../ui/Button";

/** The first run: no model is known yet. It can be closed; the settings hold the same form. */
export function Onboarding({ onClose, children }: { onClose(): void; children: ReactNode }) {
  return (
    <section className="cass-onboarding" aria-label="Set up the assistant">
      <header>
        <h2>Which model should build with you?</h2>
        <Button look="plain" onClick={onClose}>
          Later
        </Button>
      </header>
      <p>
        Any OpenAI-compatible server, on this machine or elsewhere. A key stays in ComfyUI, out of the
        browser.
      </p>
      {children}
    </section>
  );
}
