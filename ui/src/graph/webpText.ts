/** The texts that a WebP carries: ComfyUI writes `workflow:…` and `prompt:…` into the camera fields of its Exif data. */

const asciiText = 2;

/** By the word before the first colon; what is cut off is left out. */
export function webpTexts(bytes: Uint8Array): Map<string, string> {
  const texts = new Map<string, string>();
  if (!isWebp(bytes)) return texts;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    if (latin1(bytes.subarray(at, at + 4)) === "EXIF")
      for (const text of exifTexts(bytes.subarray(at + 8, at + 8 + length))) {
        const [, name, value] = /^(\w+):([\s\S]*)$/.exec(text) ?? [];
        if (name !== undefined && value !== undefined) texts.set(name, value);
      }
    at += 8 + length + (length % 2);
  }
  return texts;
}

function isWebp(bytes: Uint8Array): boolean {
  return latin1(bytes.subarray(0, 4)) === "RIFF" && latin1(bytes.subarray(8, 12)) === "WEBP";
}

/** All ASCII fields of the first directory of a TIFF block. */
function exifTexts(data: Uint8Array): string[] {
  const tiff = latin1(data.subarray(0, 4)) === "Exif" ? data.subarray(6) : data;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = latin1(tiff.subarray(0, 2)) === "II";
  if (tiff.length < 8) return [];
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > tiff.length) return [];
  const count = view.getUint16(directory, isLittle);
  return Array.from({ length: count }, (_, index) => directory + 2 + 12 * index).flatMap((entry) => {
    if (entry + 12 > tiff.length || view.getUint16(entry + 2, isLittle) !== asciiText) return [];
    const length = view.getUint32(entry + 4, isLittle);
    const start = length <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittle);
    if (start + length > tiff.length) return [];
    return [new TextDecoder().decode(tiff.subarray(start, start + length)).replace(/\0+$/, "")];
  });
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
