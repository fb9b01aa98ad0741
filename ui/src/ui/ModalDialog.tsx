import { type ComponentProps, useEffect, useRef } from "react";

/** A dialog above everything else. Its keys are its own: the Escape that closes it ends nothing below. */
export function ModalDialog({ children, ...props }: ComponentProps<"dialog">) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onKeyDown={(event) => event.stopPropagation()} {...props}>
      {children}
    </dialog>
  );
}
