/** What is read, in ever shorter forms: the first that fits its room is shown. */

export interface Form {
  /** Lines, or blocks of them, that are shown whole or not at all. */
  entries: readonly string[];
  view?: "outline";
  /** For the summary. */
  brief?: string;
  /** What the form lacks, and how to ask for it. */
  leftOut?: string;
}

/** The first form that fits, or of the last one as many entries as fit; `ask` says how to get at the others. */
export function firstThatFits(forms: Iterable<Form>, ask: string, fits: (form: Form) => boolean): Form {
  let last: Form = { entries: [] };
  for (const form of forms) {
    if (fits(form)) return form;
    last = form;
  }
  const { entries, leftOut } = last;
  const first = (count: number): Form => ({
    ...last,
    entries: entries.slice(0, count),
    leftOut: [
      `${entries.length - count} of ${entries.length} entries. ${ask}`,
      ...(leftOut ? [leftOut] : []),
    ].join(" "),
  });
  let [fewest, most] = [0, entries.length];
  while (fewest < most) {
    const middle = Math.ceil((fewest + most) / 2);
    if (fits(first(middle))) fewest = middle;
    else most = middle - 1;
  }
  return first(fewest);
}
