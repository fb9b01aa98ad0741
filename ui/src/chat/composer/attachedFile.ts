import type { Attachment, CreateAttachment } from "@assistant-ui/react";
import type { UIMessage } from "ai";

/** An attached file with all that its message carries of it, which the composer takes as it is. */
export type AttachedFile = Pick<CreateAttachment, "name" | "contentType" | "content">;

/** Those of a composer that are there whole; one on its way to ComfyUI is not. */
export function filesOfComposer(attachments: readonly Attachment[]): AttachedFile[] {
  return attachments.flatMap(({ name, contentType, content }) =>
    content ? [{ name, ...(contentType && { contentType }), content: [...content] }] : [],
  );
}

export function filesOfMessage({ parts }: Pick<UIMessage, "parts">): AttachedFile[] {
  return parts.flatMap((part) => {
    if (part.type !== "file") return [];
    const { filename = "file", mediaType, url } = part;
    return [
      {
        name: filename,
        contentType: mediaType,
        content: [{ type: "file" as const, data: url, mimeType: mediaType, filename }],
      },
    ];
  });
}
