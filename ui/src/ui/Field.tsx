import type {
  InputHTMLAttributes,
  ReactNode,
  Ref,
  SelectHTMLAttributes,
  TextareaHTMLAttributes,
} from "react";

interface Labelling {
  label: string;
  /** Who decides the value, or where it comes from. */
  note?: string | undefined;
  /** Where what stands around the field says what it is for, the label is only read aloud. */
  isLabelHidden?: boolean;
}

type Control<Attributes, Element> = Labelling &
  Omit<Attributes, "onChange"> & { onValue(value: string): void; ref?: Ref<Element> };

/** A line to type in. */
export function Field({
  label,
  note,
  isLabelHidden,
  onValue,
  className = "",
  ...rest
}: Control<InputHTMLAttributes<HTMLInputElement>, HTMLInputElement>) {
  return (
    <Labelled label={label} note={note} isLabelHidden={isLabelHidden}>
      <input
        className={`cass-field ${className}`.trimEnd()}
        aria-label={isLabelHidden ? label : undefined}
        onChange={({ target }) => onValue(target.value)}
        {...rest}
      />
    </Labelled>
  );
}

/** Lines to type in. */
export function TextArea({
  label,
  note,
  isLabelHidden,
  onValue,
  className = "",
  ...rest
}: Control<TextareaHTMLAttributes<HTMLTextAreaElement>, HTMLTextAreaElement>) {
  return (
    <Labelled label={label} note={note} isLabelHidden={isLabelHidden}>
      <textarea
        className={`cass-field ${className}`.trimEnd()}
        aria-label={isLabelHidden ? label : undefined}
        onChange={({ target }) => onValue(target.value)}
        {...rest}
      />
    </Labelled>
  );
}

/** One of a few values; `children` are its options. */
export function Select({
  label,
  note,
  isLabelHidden,
  onValue,
  className = "",
  ...rest
}: Control<SelectHTMLAttributes<HTMLSelectElement>, HTMLSelectElement>) {
  return (
    <Labelled label={label} note={note} isLabelHidden={isLabelHidden}>
      <select
        className={`cass-field ${className}`.trimEnd()}
        aria-label={isLabelHidden ? label : undefined}
        onChange={({ target }) => onValue(target.value)}
        {...rest}
      />
    </Labelled>
  );
}

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "onChange" | "type"> {
  /** Read aloud where nothing stands beside it. */
  label?: string;
  /** Stands beside it, and is its label. */
  children?: ReactNode;
  onTurn(isOn: boolean): void;
}

/** Something that is on or off. */
export function Checkbox({ label, children, onTurn, ...rest }: CheckboxProps) {
  const box = (
    <input type="checkbox" aria-label={label} onChange={({ target }) => onTurn(target.checked)} {...rest} />
  );
  if (children === undefined) return box;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the box
    <label className="cass-check">
      {box}
      <span>{children}</span>
    </label>
  );
}

function Labelled({
  label,
  note,
  isLabelHidden = false,
  children,
}: { [Name in keyof Labelling]: Labelling[Name] | undefined } & { label: string; children: ReactNode }) {
  if (isLabelHidden) return children;
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
