import { IconButton } from "./IconButton";
import { CloseIcon } from "./icons";
import { ModalDialog } from "./ModalDialog";

export interface ShownImage {
  src: string;
  alt: string;
}

/** An image at full size, above everything else; any click or Escape closes it. */
export function Lightbox({ image, onClose }: { image: ShownImage; onClose(): void }) {
  return (
    <ModalDialog
      className="cass-lightbox"
      aria-label={image.alt}
      onClick={({ currentTarget }) => currentTarget.close()}
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
    </ModalDialog>
  );
}
