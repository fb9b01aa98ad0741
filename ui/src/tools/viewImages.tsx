import { z } from "zod";
import type { Comfy, Picture, StoredFile } from "../comfy/bridge";
import { fileKind } from "../shared/fileKinds";
import { filesMeant } from "./read/filesMeant";
import { isOwnAddress } from "./run/ownAddress";
import { defineTool, ToolError } from "./tool";
import { listArgument, textArgument } from "./values/arguments";

/** What the server shows a model after the result: docs/api.md, POST /api/chat. */
interface ViewedImage {
  /** A data URL. */
  url: string;
  caption: string;
  /** Where it lies whole. */
  source: string;
}

const mostImages = 4;
const longestSide = 1024;
const mostBytes = 200_000;
/** All results of a turn travel with each of its requests. */
const mostBytesTogether = 400_000;

export const viewImages = defineTool<{ refs: string[] }, { images: ViewedImage[] }>({
  name: "viewImages",
  description: `Look at up to ${mostImages} images: filenames of a run's outputs.`,
  input: z.object({ refs: listArgument(textArgument("Filename")) }),
  effect: "reads",
  async run({ refs }, comfy, { seesImages }) {
    if ((await seesImages?.()) === false)
      return {
        ok: false,
        error: "This model cannot see images.",
        hint: "The user sees them in the chat: ask the user what they show.",
      };
    if (refs.length === 0 || refs.length > mostImages)
      throw new ToolError(`${refs.length} images were named; from 1 to ${mostImages} can be viewed at once.`);
    const limit = Math.min(mostBytes, Math.floor(mostBytesTogether / refs.length));
    const images = await Promise.all(refs.map((ref) => viewed(comfy, ref, limit)));
    return {
      ok: true,
      summary: `Viewed ${images.map(({ caption }) => caption).join("; ")}.`,
      data: { images },
    };
  },
  outside: (_, { images }) =>
    images.some(({ source }) => /[?&]type=input\b/.test(source))
      ? "a picture of the input folder"
      : undefined,
  label: ({ refs = [] }) => (refs.length === 1 ? "View an image" : `View ${refs.length || ""} images`),
  render: ({ result }) =>
    result?.ok
      ? result.data.images
          .filter(({ source }) => isOwnAddress(source))
          .map(({ source, caption }) => {
            // What a run has made, the run has shown.
            const isShown = /[?&]type=(?:output|temp)\b/.test(source);
            return (
              <a
                key={source}
                className={isShown ? "cass-file cass-output-file" : undefined}
                href={source}
                target="_blank"
                rel="noopener"
                title={caption}
              >
                {isShown ? (
                  caption
                ) : (
                  <img className="cass-output-image" src={source} alt={caption} loading="lazy" />
                )}
              </a>
            );
          })
      : null,
});

async function viewed(comfy: Comfy, ref: string, limit: number): Promise<ViewedImage> {
  for (const file of filesMeant(ref)) {
    const picture = await comfy.picture(file, { longestSide, mostBytes: limit });
    if (picture) return asViewed(comfy, file, picture);
  }
  const kind = fileKind(filesMeant(ref)[0]?.filename ?? "");
  if (kind === "video" || kind === "audio")
    throw new ToolError(
      `"${ref}" is ${kind === "video" ? "a video" : "audio"}; only images can be viewed.`,
      kind === "video"
        ? "To see frames of it, run until the node that makes them, such as VAEDecode, and view what that gives."
        : "The user hears it in the chat: ask the user.",
    );
  throw new ToolError(
    `There is no image "${ref}" in ComfyUI's output, temp or input folder.`,
    "Give the filename as executeWorkflow returned it.",
  );
}

function asViewed(comfy: Comfy, file: StoredFile, { url, width, height }: Picture): ViewedImage {
  const name = file.subfolder ? `${file.subfolder}/${file.filename}` : file.filename;
  return { url, caption: `${name} ${width}x${height}`, source: comfy.viewUrl({ ...file, kind: "image" }) };
}
