import { useRef, useState } from "react";
import { IconButton } from "./IconButton";
import { CloseIcon } from "./icons";

/** A small picture that opens at full size above everything else. */
export function ImageThumbnail({ src, alt }: { src: string; alt: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const [missing, setMissing] = useState(false);
  if (missing) return <span className="cass-thumbnail-missing">{alt} (no longer there)</span>;
  return (
    <>
      <button
        type="button"
        className="cass-thumbnail"
        title={alt}
        aria-label={`Enlarge ${alt}`}
        onClick={() => {
          setOpen(true);
          dialog.current?.showModal();
        }}
      >
        <img src={src} alt={alt} onError={() => setMissing(true)} />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a dialog closes with Escape by itself */}
      <dialog
        ref={dialog}
        className="cass-lightbox"
        aria-label={alt}
        onClick={() => dialog.current?.close()}
        onClose={() => setOpen(false)}
      >
        {open && (
          <>
            <img src={src} alt={alt} />
            <div className="cass-lightbox-bar">
              <a
                href={src}
                target="_blank"
                rel="noopener noreferrer"
                onClick={(event) => event.stopPropagation()}
              >
                {alt}
              </a>
              <IconButton label="Close">
                <CloseIcon />
              </IconButton>
            </div>
          </>
        )}
      </dialog>
    </>
  );
}
