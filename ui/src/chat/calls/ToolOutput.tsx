import { type MouseEvent, type ReactNode, useState } from "react";
import { Lightbox, type ShownImage } from "../../ui/Lightbox";

/** What a tool shows of its result. An image in a link opens here instead of in another tab. */
export function ToolOutput({ children }: { children: ReactNode }) {
  const [enlarged, setEnlarged] = useState<ShownImage>();
  const onClick = (event: MouseEvent) => {
    const image = event.target;
    if (!(image instanceof HTMLImageElement) || !image.closest("a")) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setEnlarged({ src: image.src, alt: image.alt });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links inside are what is clicked
    <div className="cass-tool-shown" onClick={onClick}>
      {children}
      {enlarged && <Lightbox image={enlarged} onClose={() => setEnlarged(undefined)} />}
    </div>
  );
}
