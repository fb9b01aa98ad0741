/** Pictures of this ComfyUI, made small enough to be sent to a model. */

import type { Picture, PictureLimits, StoredFile } from "../../bridge";
import type { LiveApi } from "../page";

const qualities = [0.85, 0.7, 0.5];
const smallestSide = 64;

/** As JPEG, which every model that sees takes; what is transparent becomes white. */
export async function readPicture(
  api: LiveApi,
  { filename, subfolder, type }: StoredFile,
  limits: PictureLimits,
): Promise<Picture | undefined> {
  const query = new URLSearchParams({ filename, subfolder, type });
  const response = await api.fetchApi(`/view?${query}`);
  if (!response.ok) return undefined;
  const bitmap = await createImageBitmap(await response.blob()).catch(() => undefined);
  if (!bitmap) return undefined;
  try {
    const blob = await smallEnough(bitmap, limits);
    return { url: await asDataUrl(blob), width: bitmap.width, height: bitmap.height };
  } finally {
    bitmap.close();
  }
}

async function smallEnough(bitmap: ImageBitmap, { longestSide, mostBytes }: PictureLimits): Promise<Blob> {
  let side = Math.min(longestSide, Math.max(bitmap.width, bitmap.height));
  for (;;) {
    const canvas = drawn(bitmap, side / Math.max(bitmap.width, bitmap.height));
    for (const quality of qualities) {
      const blob = await canvas.convertToBlob({ type: "image/jpeg", quality });
      if (blob.size <= mostBytes || side <= smallestSide) return blob;
    }
    side = Math.floor(side * 0.75);
  }
}

function drawn(bitmap: ImageBitmap, scale: number): OffscreenCanvas {
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("The browser cannot draw pictures.");
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function asDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("The picture could not be read."));
    reader.readAsDataURL(blob);
  });
}
