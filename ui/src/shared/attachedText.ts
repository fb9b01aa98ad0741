/** Text that goes along with a message for the model, folded away for the person who reads it. */

export interface TextPiece {
  kind: "text" | "attached";
  /** What is attached. */
  name?: string;
  text: string;
}

const block = /<attached name="([^"\n]*)">\n([\s\S]*?)\n<\/attached>/g;

export function attached(name: string, text: string): string {
  return `<attached name="${name.replaceAll(/["\n]/g, "'")}">\n${text.replaceAll("</attached", "< /attached")}\n</attached>`;
}

export function piecesOf(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(block)) {
    pieces.push({ kind: "text", text: text.slice(end, match.index).trimEnd() });
    pieces.push({ kind: "attached", name: match[1] ?? "", text: match[2] ?? "" });
    end = match.index + match[0].length;
  }
  pieces.push({ kind: "text", text: end === 0 ? text : text.slice(end).trimStart() });
  return pieces.filter((piece) => piece.kind === "attached" || piece.text !== "");
}
