import { Field } from "./Field";

interface Props {
  label: string;
  placeholder?: string;
  className?: string;
  query: string;
  onQuery(query: string): void;
}

export function SearchField({ label, placeholder = label, className, query, onQuery }: Props) {
  return (
    <Field
      label={label}
      isLabelHidden
      className={className}
      type="search"
      placeholder={placeholder}
      value={query}
      onValue={onQuery}
    />
  );
}
