import { useState } from "react";
import type { StatusNote } from "../api/replies";
import { isMarked, mark } from "../shared/keptMark";
import { Button } from "../ui/Button";
import { AlertIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";

/**
 * What the server has to tell at once, the first that was not read yet: the chats' file was damaged, another build is
 * installed than the one that this page or ComfyUI runs, or others can reach ComfyUI.
 */
export function StatusNotice({ notes }: { notes: StatusNote[] }) {
  const [dismissed, setDismissed] = useState<string[]>([]);
  const note = notes.find(({ message, seen }) => !dismissed.includes(message) && !(seen && isMarked(seen)));
  if (!note) return null;
  const { message, reload, seen } = note;
  const dismiss = () => setDismissed([...dismissed, message]);
  return (
    <Notice
      icon={<AlertIcon />}
      actions={
        (reload || seen) && (
          <Button
            onClick={() => {
              if (!seen) return location.reload();
              mark(seen);
              dismiss();
            }}
          >
            {seen ? "Do not show again" : "Reload"}
          </Button>
        )
      }
      onDismiss={dismiss}
    >
      {message}
    </Notice>
  );
}
