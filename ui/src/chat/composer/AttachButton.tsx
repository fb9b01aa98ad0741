import { useRef } from "react";
import { IconButton } from "../../ui/IconButton";
import { AttachIcon } from "../../ui/icons";

/** Files can also be dropped on the composer, or pasted into it. */
export function AttachButton({ onFiles }: { onFiles(files: Iterable<File>): void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label="Attach images, workflows or texts" onClick={() => input.current?.click()}>
        <AttachIcon />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}
