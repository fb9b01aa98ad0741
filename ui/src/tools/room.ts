/** The room of a result: how many tokens it may take in the request in which it is new. */

export interface Room {
  tokens: number;
  /** Whether a text fits, or the JSON of any other value. */
  holds(value: unknown): boolean;
}

/** Where the server tells none. */
const usual = 8_000;
const leastOfCharacter = 0.22;

export function roomOf(tokens = usual): Room {
  return {
    tokens,
    holds(value) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return text.length * leastOfCharacter <= tokens && countTokens(text) <= tokens;
    },
  };
}

/** An estimate that errs on the high side. The server judges by the same figure, `count_text`. */
export function countTokens(text: string): number {
  let [letters, digits, marks, others, beyond] = [0, 0, 0, 0, 0];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code > 127) others += 1;
    else if (/[A-Za-z ]/.test(character)) letters += 1;
    else if (/\d/.test(character)) digits += 1;
    else marks += 1;
    if (code > 0xffff) beyond += 1;
  }
  const plain = Math.max(0.3 * (letters + digits + marks), 0.22 * letters + 0.9 * digits + 0.5 * marks);
  return Math.ceil(plain + 1.5 * others + beyond);
}
