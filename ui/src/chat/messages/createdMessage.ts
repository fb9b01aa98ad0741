import type { AppendMessage } from "@assistant-ui/react";
import type { UIMessage } from "ai";

type Part = UIMessage["parts"][number];

/** The message that is sent of one that was written: its text, then its files, by their addresses. */
export function createdMessage({ role, content, attachments = [], metadata }: AppendMessage) {
  const files = attachments.flatMap((file) => file.content.map((part) => partOf(part, file)));
  return { role, parts: [...content.map((part) => partOf(part)), ...files], metadata };
}

function partOf(
  part: AppendMessage["content"][number],
  { name, contentType }: { name?: string; contentType?: string | undefined } = {},
): Part {
  const named = name ? { filename: name } : {};
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "image") {
    const mediaType = contentType || /^data:([^;,]+)/.exec(part.image)?.[1] || "image/png";
    return { type: "file", url: part.image, ...named, mediaType };
  }
  if (part.type === "file") return { type: "file", url: part.data, ...named, mediaType: part.mimeType };
  throw new Error(
    `A message cannot bring along a part of the type “${part.type}”; only texts, images and files.`,
  );
}
