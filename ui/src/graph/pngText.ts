/** The texts that a PNG carries: ComfyUI keeps `workflow` and `prompt` in the pictures that it saves. */

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function isPng(bytes: Uint8Array): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** By keyword, from `tEXt` and uncompressed `iTXt` chunks; what is cut off or compressed is left out. */
export function pngTexts(bytes: Uint8Array): Map<string, string> {
  const texts = new Map<string, string>();
  if (!isPng(bytes)) return texts;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = signature.length; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = latin1(bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (data.length < length || type === "IEND") break;
    const text = type === "tEXt" ? plainText(data) : type === "iTXt" ? internationalText(data) : undefined;
    if (text) texts.set(...text);
    at += 12 + length;
  }
  return texts;
}

function plainText(data: Uint8Array): [string, string] | undefined {
  const end = data.indexOf(0);
  return end < 0 ? undefined : [latin1(data.subarray(0, end)), utf8OrLatin1(data.subarray(end + 1))];
}

/** Keyword, compression flag and method, language, translated keyword, text. */
function internationalText(data: Uint8Array): [string, string] | undefined {
  const end = data.indexOf(0);
  if (end < 0 || data[end + 1] !== 0) return undefined;
  const language = data.indexOf(0, end + 3);
  const translation = data.indexOf(0, language + 1);
  if (language < 0 || translation < 0) return undefined;
  return [latin1(data.subarray(0, end)), new TextDecoder().decode(data.subarray(translation + 1))];
}

/** ComfyUI writes ASCII; other tools write UTF-8 where Latin-1 is due. */
function utf8OrLatin1(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return latin1(bytes);
  }
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
