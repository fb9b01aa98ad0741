import { type ReactNode, useRef } from "react";
import { Button, type ButtonLook } from "./Button";
import { IconButton } from "./IconButton";

interface Props {
  label: string;
  /** Stands on the button in place of the label's words. */
  icon?: ReactNode;
  /** What the chooser itself is called; the label where it is left out. */
  chooserLabel?: string;
  look?: ButtonLook;
  isDisabled?: boolean;
  /** "folder" takes a whole folder, "several" more than one file. */
  takes?: "one" | "several" | "folder";
  /** As in the attribute of an input: ".zip". */
  accept?: string;
  onFiles(files: File[]): void;
}

/** A button that opens the browser's chooser of files; the keyboard reaches it, as it reaches no hidden input. */
export function FileButton({
  label,
  icon,
  chooserLabel = label,
  look,
  isDisabled = false,
  takes = "one",
  accept,
  onFiles,
}: Props) {
  const input = useRef<HTMLInputElement>(null);
  const choose = () => input.current?.click();
  return (
    <>
      {icon ? (
        <IconButton label={label} disabled={isDisabled} onClick={choose}>
          {icon}
        </IconButton>
      ) : (
        <Button look={look} disabled={isDisabled} onClick={choose}>
          {label}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={chooserLabel}
        disabled={isDisabled}
        multiple={takes !== "one"}
        accept={accept}
        {...(takes === "folder" && { webkitdirectory: "" })}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}
