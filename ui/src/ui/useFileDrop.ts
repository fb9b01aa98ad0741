import { type DragEvent, useState } from "react";

/** What an element needs to take files that are dropped on it; the innermost such element gets them. */
export function useFileDrop(onFiles: (transfer: DataTransfer) => void) {
  const [isDropping, setIsDropping] = useState(false);
  const take = (event: DragEvent) => {
    const isFiles = event.dataTransfer.types.includes("Files");
    if (isFiles) {
      event.preventDefault();
      event.stopPropagation();
    }
    return isFiles;
  };
  return {
    /** Files are held over it. */
    isDropping,
    dropping: {
      onDragOver: (event: DragEvent) => setIsDropping(take(event)),
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) setIsDropping(false);
      },
      onDrop: (event: DragEvent) => {
        setIsDropping(false);
        if (take(event)) onFiles(event.dataTransfer);
      },
    },
  };
}
