import type { ReactNode } from "react";

interface Props {
  label: string;
  /** Who decides the value, or where it comes from. */
  note?: string | undefined;
  children: ReactNode;
}

/** A field of a provider under its label. */
export function ProviderField({ label, note, children }: Props) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className="cass-labelled">
      <span>
        {label}
        {note && <em> · {note}</em>}
      </span>
      {children}
    </label>
  );
}
