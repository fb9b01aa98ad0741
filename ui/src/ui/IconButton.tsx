import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  [data: `data-${string}`]: string | undefined;
  /** Read aloud, and shown while the pointer rests on the button. */
  label: string;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, children, className = "", ...rest }: Props) {
  return (
    <button
      type="button"
      className={`cass-icon-button ${className}`}
      aria-label={label}
      title={label}
      {...rest}
    >
      {children}
    </button>
  );
}
