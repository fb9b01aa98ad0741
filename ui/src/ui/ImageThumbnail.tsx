import { useState } from "react";
import { Lightbox } from "./Lightbox";

/** A small picture that opens at full size. */
export function ImageThumbnail({ src, alt }: { src: string; alt: string }) {
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
        onClick={() => setOpen(true)}
      >
        <img src={src} alt={alt} onError={() => setMissing(true)} />
      </button>
      {open && <Lightbox image={{ src, alt }} onClose={() => setOpen(false)} />}
    </>
  );
}
