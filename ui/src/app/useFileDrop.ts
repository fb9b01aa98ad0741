import { type DragEvent, useState } from "react";

/** What an element needs to take files that are dropped on it. */
export function useFileDrop(onFiles: (files: File[]) => void) {
  const [isDropping, setIsDropping] = useState(false);
  return {
    /** Files are held over it. */
    isDropping,
    dropping: {
      onDragOver: ({ dataTransfer }: DragEvent) => setIsDropping(dataTransfer.types.includes("Files")),
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) setIsDropping(false);
      },
      onDrop: ({ dataTransfer }: DragEvent) => {
        setIsDropping(false);
        onFiles([...dataTransfer.files]);
      },
    },
  };
}
