import { useEffect, useRef } from "react";

export interface CompletionItem {
  id: string;
  label: string;
  description: string;
  text: string;
  /** Chosen, it is carried out at once. */
  submits: boolean;
}

interface Props {
  id: string;
  items: readonly CompletionItem[];
  selected: number;
  onSelect(index: number): void;
  onChoose(item: CompletionItem): void;
}

export function CompletionList({ id, items, selected, onSelect, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[selected]?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  if (items.length === 0) return null;
  return (
    <div className="cass-completions" id={id} role="listbox" aria-label="Commands" ref={list}>
      {items.map((item, index) => (
        <button
          key={item.id}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === selected}
          className="cass-line-button cass-completion"
          // Not where the list opens under a pointer that rests.
          onMouseMove={() => onSelect(index)}
          // Keeps the focus in the composer.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
        >
          <b>{item.label}</b>
          <span>{item.description}</span>
        </button>
      ))}
    </div>
  );
}
