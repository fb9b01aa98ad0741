import { useEffect, useRef } from "react";
import { IconButton } from "./IconButton";
import { CloseIcon } from "./icons";

export interface ShownImage {
  src: string;
  alt: string;
}

/** An image at full size, above everything else; any click or Escape closes it. */
export function Lightbox({ image, onClose }: { image: ShownImage; onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a dialog closes with Escape by itself
    <dialog
      ref={dialog}
      className="cass-lightbox"
      aria-label={image.alt}
      onClick={() => dialog.current?.close()}
      onClose={onClose}
    >
      <img src={image.src} alt={image.alt} />
      <div className="cass-lightbox-bar">
        <a
          href={image.src}
          target="_blank"
          rel="noopener noreferrer"
          onClick={(event) => event.stopPropagation()}
        >
          {image.alt}
        </a>
        <IconButton label="Close">
          <CloseIcon />
        </IconButton>
      </div>
    </dialog>
  );
}
