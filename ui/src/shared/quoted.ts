import { cut } from "./cut";

const beginning = 120;
const ending = 80;
/** What is not seen: controls, letters that are blank, and line breaks that JSON leaves as they are. */
const unseen = String.raw`\p{C}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0`;
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

/** What turns lines round or ends them, for a text whose letters stay as they are. */
const turning = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A whole question, with what others wrote in it: nothing of it changes how the rest is read. */
export function steady(text: string): string {
  return text.replaceAll(turning, (sign) => (/[\t\n]/.test(sign) ? sign : "�"));
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
