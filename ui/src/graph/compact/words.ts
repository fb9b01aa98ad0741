/** The smallest parts of the compact form: names and values, plain where nothing can be misread, else as JSON. */

import type { Json } from "../graph";

const plainWord = /^[\p{L}\p{N}_][\p{L}\p{N}_./\\+-]*$/u;
const plainValue = /^[\p{L}\p{N}_][\p{L}\p{N}_.:/\\+@%-]*$/u;
const literals = new Set(["true", "false", "null"]);

/** A name of a type, slot or widget. */
export function nameWord(name: string): string {
  return plainWord.test(name) ? name : JSON.stringify(name);
}

/** Keeps text and other JSON apart: the text `20` is written with quotes, the number without. */
export function valueWord(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const isPlain = plainValue.test(value) && !literals.has(value) && Number.isNaN(Number(value));
  return isPlain ? value : JSON.stringify(value);
}

export class CompactSyntaxError extends Error {
  constructor(message: string, line: number) {
    super(`Line ${line}: ${message}`);
    this.name = "CompactSyntaxError";
  }
}

/** Reads one line from left to right. */
export class LineReader {
  readonly text: string;
  private readonly line: number;
  private at = 0;

  constructor(text: string, line: number) {
    this.text = text;
    this.line = line;
  }

  get isAtEnd(): boolean {
    this.skipSpace();
    return this.at >= this.text.length;
  }

  /** The next character, without taking it. */
  get next(): string {
    return this.text[this.at] ?? "";
  }

  /** Takes `sign` if it is next. */
  take(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  expect(sign: string): void {
    if (!this.take(sign)) throw this.error(`expected "${sign}" before ${this.ahead()}`);
  }

  /** A quoted or plain name; plain ones end at a space or at one of `signs`. */
  name(signs: string): string {
    if (this.next === '"') return this.quoted();
    const start = this.at;
    while (this.at < this.text.length && !/\s/.test(this.next) && !signs.includes(this.next)) this.at++;
    if (this.at === start) throw this.error(`expected a name before ${this.ahead()}`);
    return this.text.slice(start, this.at);
  }

  quoted(): string {
    const text = this.slice(this.endOfQuoted(this.at));
    try {
      return JSON.parse(text);
    } catch {
      throw this.error(`${text} is not quoted as JSON quotes text`);
    }
  }

  /** A value; plain text ends at a space, or at `(` or `…`, which begin a remark. */
  value(): Json {
    if (this.next === '"') return this.quoted();
    if (this.next === "[" || this.next === "{") return this.bracketed();
    const start = this.at;
    while (this.at < this.text.length && !/[\s(…]/.test(this.next)) this.at++;
    const text = this.text.slice(start, this.at);
    if (literals.has(text)) return JSON.parse(text);
    return text !== "" && !Number.isNaN(Number(text)) ? Number(text) : text;
  }

  /** What stands before `sign`, which is taken, too. */
  until(sign: string): string {
    const end = this.text.indexOf(sign, this.at);
    if (end < 0) throw this.error(`expected "${sign}" after ${this.ahead()}`);
    const text = this.slice(end);
    this.take(sign);
    return text;
  }

  skipSpace(): void {
    while (/\s/.test(this.next)) this.at++;
  }

  error(message: string): CompactSyntaxError {
    return new CompactSyntaxError(message, this.line);
  }

  private bracketed(): Json {
    let depth = 0;
    let end = this.at;
    for (; end < this.text.length; end++) {
      const sign = this.text[end] ?? "";
      if (sign === '"') end = this.endOfQuoted(end) - 1;
      else if (sign === "[" || sign === "{") depth++;
      else if ((sign === "]" || sign === "}") && --depth === 0) break;
    }
    const text = this.slice(end + 1);
    try {
      return JSON.parse(text);
    } catch {
      throw this.error(`${text.slice(0, 60)} is no JSON`);
    }
  }

  private endOfQuoted(start: number): number {
    for (let end = start + 1; end < this.text.length; end++) {
      if (this.text[end] === "\\") end++;
      else if (this.text[end] === '"') return end + 1;
    }
    throw this.error(`the quotation mark before ${this.text.slice(start + 1, start + 31)} is never closed`);
  }

  private slice(end: number): string {
    const text = this.text.slice(this.at, end);
    this.at = end;
    return text;
  }

  private ahead(): string {
    return this.isAtEnd ? "the end of the line" : `"${this.text.slice(this.at, this.at + 30)}"`;
  }
}
