import { FileButton } from "../../ui/FileButton";
import { AttachIcon } from "../../ui/icons";

/** Files can also be dropped on the composer, or pasted into it. */
export function AttachButton({ onFiles }: { onFiles(files: Iterable<File>): void }) {
  return (
    <FileButton
      label="Attach images, workflows or texts"
      chooserLabel="Files to attach"
      icon={<AttachIcon />}
      takes="several"
      onFiles={onFiles}
    />
  );
}
