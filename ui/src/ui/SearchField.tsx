interface Props {
  label: string;
  placeholder?: string;
  className?: string;
  query: string;
  onQuery(query: string): void;
}

export function SearchField({ label, placeholder = label, className = "", query, onQuery }: Props) {
  return (
    <input
      className={`cass-field ${className}`.trimEnd()}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={query}
      onChange={(event) => onQuery(event.target.value)}
    />
  );
}
