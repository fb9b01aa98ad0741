import type { ComponentProps } from "react";
import { useThreadId } from "../chat/threads/useThreadId";
import { useIsWaitingForPerson } from "../chat/turn/useIsWaitingForPerson";
import { Button } from "../ui/Button";
import { Overlay } from "../ui/Overlay";

/** A view that covers the whole conversation, and says so where the assistant asks something underneath. */
export function CoveringView({ tools, children, ...view }: Omit<ComponentProps<typeof Overlay>, "extent">) {
  const isAsking = useIsWaitingForPerson(useThreadId());
  return (
    <Overlay
      {...view}
      tools={
        <>
          {tools}
          <span role="status">
            {isAsking && (
              <Button look="link" className="cass-overlay-asks" onClick={view.onClose}>
                The assistant is waiting for your answer
              </Button>
            )}
          </span>
        </>
      }
    >
      {children}
    </Overlay>
  );
}
