interface Props {
  label: string;
  isUnseen?: boolean;
  onClick(): void;
}

/** What lies behind a view that covers only a part: a click on it closes that. The keyboard has Escape. */
export function Backdrop({ label, isUnseen = false, onClick }: Props) {
  return (
    <button
      type="button"
      className={`cass-backdrop ${isUnseen ? "cass-unseen" : ""}`.trimEnd()}
      tabIndex={-1}
      aria-label={label}
      onClick={onClick}
    />
  );
}
