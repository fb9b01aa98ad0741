import { useState } from "react";
import { IconButton } from "./IconButton";
import { CloseIcon } from "./icons";
import type { ShownImage } from "./Lightbox";
import { ModalDialog } from "./ModalDialog";

export interface ComparedImage extends ShownImage {
  /** What sets it apart from the others. */
  caption: string;
}

/** Two images of several beside each other at full size; each side can be any of them. Escape closes. */
export function CompareLightbox({
  images,
  opened,
  onClose,
}: {
  images: readonly ComparedImage[];
  /** Index of the image on the left. */
  opened: number;
  onClose(): void;
}) {
  const [sides, setSides] = useState<readonly [number, number]>([opened, (opened + 1) % images.length]);
  const [left, right] = sides;
  return (
    <ModalDialog className="cass-compare" aria-label="Compare images" onClose={onClose}>
      <IconButton
        label="Close"
        className="cass-compare-close"
        onClick={({ currentTarget }) => currentTarget.closest("dialog")?.close()}
      >
        <CloseIcon />
      </IconButton>
      <Side label="Left image" images={images} shown={left} onChange={(index) => setSides([index, right])} />
      {images.length > 1 && (
        <Side
          label="Right image"
          images={images}
          shown={right}
          onChange={(index) => setSides([left, index])}
        />
      )}
    </ModalDialog>
  );
}

function Side({
  label,
  images,
  shown,
  onChange,
}: {
  label: string;
  images: readonly ComparedImage[];
  shown: number;
  onChange(index: number): void;
}) {
  const image = images[shown];
  if (!image) return null;
  return (
    <figure className="cass-compare-side">
      <img src={image.src} alt={image.alt} />
      <figcaption>
        <select
          aria-label={label}
          value={shown}
          onChange={(event) => onChange(Number(event.currentTarget.value))}
        >
          {images.map(({ src, alt, caption }, index) => (
            <option key={src} value={index}>
              {caption || alt}
            </option>
          ))}
        </select>
        <a href={image.src} target="_blank" rel="noopener noreferrer">
          {image.alt}
        </a>
      </figcaption>
    </figure>
  );
}
