/** What is read, in ever shorter forms: the first that fits its room is shown. */

import { few } from "../../shared/few";
import { nodeKey, type Shows } from "./known";

export interface Form {
  /** Lines, or blocks of them, that are shown whole or not at all. */
  entries: readonly string[];
  view?: "outline";
  /** What each entry is of: where not all fit, those that are left out are named. */
  names?: readonly string[];
  /** How far each entry is from what was asked for: where not all fit, the nearest are shown. */
  distances?: readonly number[];
  /** For the summary. */
  brief?: string;
  /** What the form lacks, and how to ask for it. */
  leftOut?: string;
  /**
   * Of which nodes one sees how they are now: entry by entry (their keys), or of those that are new or gone (`names`);
   * of all where nothing is said.
   */
  tells?: "names" | readonly (string | undefined)[];
}

/** What a model has seen of the changes by a person once it has read this; undefined for all. */
export function shownIn({ tells }: Form): Shows | undefined {
  if (tells === undefined) return undefined;
  if (tells === "names") return ({ kind }) => kind !== "changed";
  const told = new Set(tells);
  return (change) => told.has(nodeKey(change));
}

/** Of the entries that are left out. */
const mostNamed = 30;

/** The first form that fits, or of the last one as many entries as fit; `ask` says how to get at the others. */
export function firstThatFits(forms: Iterable<Form>, ask: string, fits: (form: Form) => boolean): Form {
  let last: Form = { entries: [] };
  for (const form of forms) {
    if (fits(form)) return form;
    last = form;
  }
  const { entries, leftOut = "", tells, distances, names } = last;
  const nearest = [...entries.keys()].sort((a, b) => (distances?.[a] ?? 0) - (distances?.[b] ?? 0));
  const first = (count: number): Form => {
    const shown = new Set(nearest.slice(0, count));
    const those = <Value>(all: readonly Value[]) => all.filter((_, index) => shown.has(index));
    const others = names?.filter((_, index) => !shown.has(index));
    const which = others ? ` (${few(others, mostNamed)})` : "";
    return {
      ...last,
      entries: those(entries),
      tells: Array.isArray(tells) ? those(tells) : [],
      ...(names && { names: those(names) }),
      leftOut: [
        `${entries.length - count} of ${entries.length} entries${which}.`,
        ...(leftOut.endsWith(ask) ? [] : [ask]),
        ...(leftOut ? [leftOut] : []),
      ].join(" "),
    };
  };
  return first(mostThatFit(entries.length, (count) => fits(first(count))));
}

/** How many of so many fit. */
export function mostThatFit(all: number, fits: (count: number) => boolean): number {
  if (fits(all)) return all;
  let [fewest, most] = [0, all];
  while (fewest < most) {
    const middle = Math.ceil((fewest + most) / 2);
    if (fits(middle)) fewest = middle;
    else most = middle - 1;
  }
  return fewest;
}
