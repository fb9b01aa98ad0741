import type { AttachmentAdapter, PendingAttachment } from "@assistant-ui/react";
import type { Comfy, StoredFile } from "../comfy/bridge";
import { NoWorkflow, recognise } from "../graph/recognise";
import { wellFormed } from "../shared/wellFormed";

/** What of an attached file goes along with the message. */
type Carried = Pick<PendingAttachment, "name" | "contentType" | "content">;

/** What a model that sees gets to see of an attached image. */
const limits = { longestSide: 1024, mostBytes: 200_000 };
const mostText = 1_000_000;
const textTypes = /^text\/|^application\/(?:.*\+)?(?:json|xml|yaml|x-yaml|toml|csv|javascript|x-python)$/;

/**
 * Texts, those of PDF files too, travel in the message, where the model reads them. Everything else, and workflows, goes into ComfyUI's input
 * folder, where tools and nodes find it by the name that the message tells; of an image, a small one travels, too.
 */
export function createAttachments(
  comfy: Comfy,
  textOfDocument: (file: string) => Promise<string>,
): AttachmentAdapter {
  return {
    accept:
      "image/*,video/*,audio/*,text/*,application/json,application/pdf,.pdf,.json,.md,.yaml,.yml,.toml,.csv",
    async *add({ file }) {
      const begun: PendingAttachment = {
        id: crypto.randomUUID?.() ?? `${file.name} ${Math.random()}`,
        type: file.type.startsWith("image/") ? "image" : "file",
        name: file.name,
        contentType: file.type,
        file,
        status: { type: "running", reason: "uploading", progress: 0 },
      };
      yield begun;
      const text = isPdf(file) ? await textOfPdf(comfy, file, textOfDocument) : await textToRead(file);
      const carried = text === undefined ? await stored(comfy, file) : document(file, text);
      yield { ...begun, ...carried, status: { type: "requires-action", reason: "composer-send" } };
    },
    async send(attachment) {
      return { ...attachment, status: { type: "complete" }, content: attachment.content ?? [] };
    },
    /** The file stays in ComfyUI's folder: another message, or a node, may use it. */
    async remove() {},
  };
}

const isPdf = (file: File) => file.type === "application/pdf" || /\.pdf$/i.test(file.name);

/** The server reads it, from ComfyUI's folder. */
async function textOfPdf(
  comfy: Comfy,
  file: File,
  textOf: (file: string) => Promise<string>,
): Promise<string> {
  const { subfolder, filename } = await comfy.upload(file);
  return wellFormed(await textOf([subfolder, filename].filter(Boolean).join("/")));
}

/** Undefined for what is no text, and for a workflow, which only a tool should read. */
async function textToRead(file: File): Promise<string | undefined> {
  const isText = textTypes.test(file.type) || /\.(?:json|md|ya?ml|toml|csv)$/i.test(file.name);
  if (!isText) return undefined;
  const text = await file.text();
  if (isWorkflow(text)) return undefined;
  if (text.length > mostText)
    throw new Error(`it has ${text.length} characters; at most ${mostText} can be read.`);
  return wellFormed(text);
}

function isWorkflow(text: string): boolean {
  if (!text.trimStart().startsWith("{")) return false;
  try {
    return recognise(text).form !== "compact";
  } catch (error) {
    if (error instanceof NoWorkflow) return false;
    throw error;
  }
}

function document(file: File, text: string): Carried {
  const mimeType = textTypes.test(file.type) ? file.type : "text/plain";
  const data = `data:${mimeType},${encodeURIComponent(text)}`;
  return { name: file.name, contentType: mimeType, content: [{ type: "file", data, mimeType }] };
}

async function stored(comfy: Comfy, file: File): Promise<Carried> {
  const place = await comfy.upload(file);
  const name = pathOf(place);
  const picture = file.type.startsWith("image/") ? await comfy.picture(place, limits) : undefined;
  if (picture) return { name, contentType: "image/jpeg", content: [{ type: "image", image: picture.url }] };
  const mimeType = file.type || "application/octet-stream";
  const data = new URL(comfy.viewUrl({ kind: "other", ...place }), location.href).href;
  return { name, contentType: mimeType, content: [{ type: "file", data, mimeType }] };
}

/** As tools take it: `input/cat.png`. */
function pathOf({ type, subfolder, filename }: StoredFile): string {
  return [type, subfolder, filename].filter(Boolean).join("/");
}
