import { useAui } from "@assistant-ui/react";
import { useEffect } from "react";
import type { RunFailure } from "../comfy/bridge";
import { failureWords } from "../comfy/failureWords";
import { useStore } from "../shared/store";
import { Button } from "../ui/Button";
import { AlertIcon } from "../ui/icons";
import { Notice } from "../ui/Notice";
import type { Failures } from "./failures";

interface Props {
  failures: Failures;
  /** The assistant is answering, so nothing can be sent. */
  isBusy: boolean;
}

/** A run of the person's own has failed: one line above the composer, with the offer to repair it. */
export function FailureNotice({ failures, isBusy }: Props) {
  const aui = useAui();
  const failure = useStore(failures.latest);
  const wishes = useStore(failures.wishes);

  function repair(failed: RunFailure) {
    failures.dismiss();
    aui.thread.append(failures.messageFor(failed));
  }

  useEffect(() => {
    const wished = failures.latest.get();
    if (wishes === 0 || !wished) return;
    failures.wishes.set(0);
    if (!isBusy) repair(wished);
  });

  if (!failure) return null;
  const words = failureWords(failure);
  return (
    <Notice
      className="cass-failure"
      icon={<AlertIcon />}
      title={words}
      actions={
        <Button disabled={isBusy} onClick={() => repair(failure)}>
          Fix with Assistant
        </Button>
      }
      onDismiss={failures.dismiss}
    >
      {words}
    </Notice>
  );
}
