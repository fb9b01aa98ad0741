import type { ButtonHTMLAttributes, Ref } from "react";

/** How much a button asks for attention; "line" fills a line of a list, and "chip" is one of several to choose from. */
export type ButtonLook = "usual" | "primary" | "danger" | "plain" | "quiet" | "link" | "line" | "chip";

const classes: Record<ButtonLook, string> = {
  usual: "cass-button",
  primary: "cass-button cass-primary",
  danger: "cass-button cass-danger",
  plain: "cass-button cass-plain",
  quiet: "cass-quiet-button",
  link: "cass-link",
  line: "cass-line-button",
  chip: "cass-chip",
};

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: ButtonLook;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with words on it. */
export function Button({ look = "usual", className = "", ...rest }: Props) {
  return <button type="button" className={`${classes[look]} ${className}`.trimEnd()} {...rest} />;
}
