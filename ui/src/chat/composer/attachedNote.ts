import type { Attachment } from "@assistant-ui/react";

interface Note {
  words: string;
  /** What it means, for whoever asks. */
  meaning: string;
}

/** What the person may not expect of a file that goes along; undefined where its content is read. */
export function attachedNote(content: Attachment["content"]): Note | undefined {
  const part = content?.[0];
  if (part?.type !== "file") return undefined;
  if (!part.data.startsWith("data:")) return byName(part.mimeType);
  return part.data.endsWith(",") ? { words: "empty", meaning: "There is nothing in it" } : undefined;
}

/** A text that travels by its name is a workflow, which tools open. */
function byName(mimeType: string): Note {
  if (mimeType.startsWith("image/"))
    return {
      words: "no preview",
      meaning: "This browser cannot show it as a picture, and the model will not see it; nodes may load it",
    };
  if (mimeType === "application/json") return { words: "workflow", meaning: "The assistant can open it" };
  return { words: "name only", meaning: "The model can't read this file, but nodes can load it" };
}
