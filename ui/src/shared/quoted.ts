import { cut } from "./cut";

const beginning = 120;
const ending = 80;
/** What is not seen, as in `engine/base/text/portable_text.py`: controls and tags, letters that are blank, other line breaks. */
const unseen = String.raw`\p{C}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0d\u{e0000}-\u{e0fff}`;
const unseenCharacter = new RegExp(`[${unseen}]`, "gu");
/** Those too that look like the quotes that stand around. */
const unseenOrQuote = new RegExp(`[${unseen}“”„‟"″〝〞＂❝❞]`, "gu");

/**
 * What others wrote, for a question, without characters that are not seen. Of what is long its beginning and its end:
 * what a path leads to stands there.
 */
export function quoted(value: unknown): string {
  const text = String(value);
  const left = text.length - beginning - ending;
  const shown =
    left <= 0 ? text : `${text.slice(0, beginning)}… (${left} more characters) …${text.slice(-ending)}`;
  return JSON.stringify(shown).replaceAll(unseenCharacter, "�");
}

/** But for tabs, line ends and the joiners that scripts and emoji need. */
const unseenInQuestion = new RegExp(`(?![\\t\\n\\u200c\\u200d])[${unseen}]`, "gu");

/**
 * A whole question, with what others wrote in it: nothing of it changes how the rest is read, and no blank lines move its
 * end out of sight.
 */
export function steady(text: string): string {
  const shown = text.replaceAll(unseenInQuestion, "�");
  return shown.includes("\n\n\n") ? withoutBlankLines(shown) : shown;
}

function withoutBlankLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n");
}

/** The same where it stands between our own quotes. */
export function seen(text: string): string {
  return cut(text, 80).replaceAll(unseenOrQuote, "�");
}

/** A node's id, which ComfyUI counts; what a file has in its place stands between our own quotes. */
export function seenId(id: string): string {
  return /^[\w:.-]{1,80}$/.test(id) ? id : `“${seen(id)}”`;
}

/** A word as it is; what could be read as a sentence of ours within quotes. */
export function wordOrQuoted(text: string): string {
  return /^[\w.…/-]*$/.test(text) ? text : quoted(text);
}
