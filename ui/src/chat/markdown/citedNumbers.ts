/** Citations that follow each other, such as `[1][3]` or `[1, 3]`; an index such as `list[3]` is none. */
export const RUN = /(?<![\w$\]])(?:\[d?\d{1,4}(?:\s*,\s*d?\d{1,4})*\])+(?![\w(=[{]|\.\w)/g;
export const NUMBER = /\d+/g;

/** The documents that a text may cite. */
export function citedNumbers(text: string): number[] {
  return [...text.matchAll(RUN)].flatMap(([run]) => numbersOf(run));
}

export const numbersOf = (run: string) => [...run.matchAll(NUMBER)].map(([number]) => Number(number));
