import type { DocumentPart } from "./filesApi";

/**
 * A part of a document before its place, the place, and what comes after it; and where the part ends.
 *
 * The server counts characters, and JavaScript the halves of some, such as emoji.
 */
export function partsAround({ text, start, place }: Pick<DocumentPart, "text" | "start" | "place">) {
  const characters = Array.from(text);
  const piece = (from: number, to?: number) => characters.slice(from, to).join("");
  const end = start + characters.length;
  if (!place) return { before: text, marked: "", after: "", end };
  const [from, to] = [Math.max(0, place.start - start), Math.max(0, place.end - start)];
  return { before: piece(0, from), marked: piece(from, to), after: piece(to), end };
}
