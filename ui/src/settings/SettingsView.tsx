import { type ReactNode, useEffect, useRef } from "react";
import { IconButton } from "../shared/IconButton";
import { CloseIcon } from "../shared/icons";

/** Covers the conversation, which goes on underneath. */
export function SettingsView({ onClose, children }: { onClose(): void; children: ReactNode }) {
  const view = useRef<HTMLElement>(null);
  useEffect(() => {
    view.current?.focus();
  }, []);
  return (
    <section
      ref={view}
      className="cass-settings"
      aria-label="Settings"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header className="cass-drawer-header">
        <h2>Settings</h2>
        <IconButton label="Close settings" onClick={onClose}>
          <CloseIcon />
        </IconButton>
      </header>
      {children}
    </section>
  );
}
