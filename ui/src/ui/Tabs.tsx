import { type KeyboardEvent, useEffect, useRef } from "react";

interface Props<Name extends string> {
  label: string;
  tabs: readonly { name: Name; label: string }[];
  selected: Name;
  /** The id of the element that shows what is selected. */
  controls: string;
  onSelect(name: Name): void;
}

/** A row of tabs; the arrow keys go along it. */
export function Tabs<Name extends string>({ label, tabs, selected, controls, onSelect }: Props<Name>) {
  const row = useRef<HTMLDivElement>(null);
  // In a narrow panel the row is longer than its room.
  useEffect(() => {
    row.current
      ?.querySelector(`[role="tab"]:nth-child(${tabs.findIndex(({ name }) => name === selected) + 1})`)
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [tabs, selected]);
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const index = tabs.findIndex(({ name }) => name === selected);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (step === 0 || !next) return;
    event.preventDefault();
    onSelect(next.name);
    const buttons = event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]');
    buttons[tabs.indexOf(next)]?.focus();
  }
  return (
    <div ref={row} className="cass-tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          type="button"
          className="cass-quiet-button"
          role="tab"
          aria-selected={tab.name === selected}
          aria-controls={controls}
          tabIndex={tab.name === selected ? 0 : -1}
          onClick={() => onSelect(tab.name)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
