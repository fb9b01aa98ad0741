/**
 * Splits markdown at blank lines into top-level blocks; joined, the blocks are the text again.
 *
 * While text only grows, every block but the last is final, so each can be rendered once. Reference links and
 * footnotes do not reach across blocks.
 */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = [];
  let block = "";
  let fence = "";
  for (const line of text.split(/(?<=\n)/)) {
    if (fence === "" && block.endsWith("\n\n") && startsBlock(line, block)) {
      blocks.push(block);
      block = "";
    }
    const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (marker !== undefined) {
      if (fence === "") fence = marker;
      else if (marker.startsWith(fence) && line.trim() === marker) fence = "";
    }
    block += line;
  }
  if (block) blocks.push(block);
  return blocks;
}

const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) /;

/** After a blank line, indented text belongs to what precedes it, and so does a further item of a list. */
function startsBlock(line: string, block: string): boolean {
  if (line.trim() === "" || /^(?: {2,}|\t)/.test(line)) return false;
  return !(LIST_ITEM.test(line) && LIST_ITEM.test(block));
}

/** Remembers the finished blocks of a growing text, so that only its tail is split again. */
export function createBlockSplitter(): (text: string) => readonly string[] {
  let finished: string[] = [];
  let finishedText = "";
  return (text) => {
    if (!text.startsWith(finishedText)) {
      finished = [];
      finishedText = "";
    }
    const tail = splitBlocks(text.slice(finishedText.length));
    const blocks = [...finished, ...tail];
    const closed = tail.slice(0, -1);
    finished = [...finished, ...closed];
    finishedText += closed.join("");
    return blocks;
  };
}
