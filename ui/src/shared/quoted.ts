import { cut } from "./cut";

/** What others wrote, for a question: shortened, without characters that are not seen. */
export function quoted(value: unknown): string {
  return JSON.stringify(cut(String(value), 200)).replaceAll(/\p{C}/gu, "�");
}

/** The same where it stands between our own quotes. */
export function seen(text: string): string {
  return cut(text, 80).replaceAll(/[\p{C}“”"]/gu, "�");
}
