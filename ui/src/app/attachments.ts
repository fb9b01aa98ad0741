import type { AttachmentAdapter, PendingAttachment } from "@assistant-ui/react";
import type { Comfy, StoredFile } from "../comfy/bridge";

/** What a model that sees gets to see of an attached image. */
const limits = { longestSide: 1024, mostBytes: 200_000 };

/**
 * Attached files go into ComfyUI's input folder, where tools and nodes find them by the name that the message tells. An
 * image also travels with the message, made small.
 */
export function createAttachments(comfyThere: () => Promise<Comfy>): AttachmentAdapter {
  return {
    accept: "image/*,video/*,audio/*,application/json,.json",
    async *add({ file }) {
      const isImage = file.type.startsWith("image/");
      const begun: PendingAttachment = {
        id: crypto.randomUUID?.() ?? `${file.name} ${Math.random()}`,
        type: isImage ? "image" : "file",
        name: file.name,
        contentType: file.type,
        file,
        status: { type: "running", reason: "uploading", progress: 0 },
      };
      yield begun;
      const comfy = await comfyThere();
      const stored = await comfy.upload(file);
      const picture = isImage ? await comfy.picture(stored, limits) : undefined;
      const address = new URL(comfy.viewUrl({ kind: "other", ...stored }), location.href).href;
      yield {
        ...begun,
        name: pathOf(stored),
        ...(picture && { contentType: "image/jpeg" }),
        content: picture
          ? [{ type: "image", image: picture.url }]
          : [{ type: "file", data: address, mimeType: file.type || "application/octet-stream" }],
        status: { type: "requires-action", reason: "composer-send" },
      };
    },
    async send(attachment) {
      return { ...attachment, status: { type: "complete" }, content: attachment.content ?? [] };
    },
    /** The file stays in ComfyUI's folder: another message, or a node, may use it. */
    async remove() {},
  };
}

/** As tools take it: `input/cat.png`. */
function pathOf({ type, subfolder, filename }: StoredFile): string {
  return [type, subfolder, filename].filter(Boolean).join("/");
}
