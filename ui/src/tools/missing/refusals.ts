/** Why what is missing cannot be had, in words: each reason once. */

import { adviceOf, type Line } from "./lines";

interface Refusal {
  words: string;
  of: readonly Line[];
}

/** Why none of them can be had, where that is the same for all, as a host that cannot be reached. */
export function refusalOfAll(lines: readonly Line[]): string | undefined {
  const [refusal, ...others] = refusalsOf(lines);
  return others.length === 0 && refusal?.of.length === lines.length ? refusal.words : undefined;
}

/** A refusal that several have in common is told once; what was `said` before, not at all. */
export function told(lines: readonly Line[], said = ""): string {
  const open = refusalsOf(lines).filter(({ words }) => words !== said);
  const own = new Map(
    open.flatMap(({ words, of: [only, ...others] }) => (only && others.length === 0 ? [[only, words]] : [])),
  );
  const common = open.filter(({ of }) => of.length > 1);
  const listed = lines.map((line) => {
    const refused = own.get(line);
    return `${line.title} (${refused === undefined ? line.note : `${line.note}; ${refused}`})`;
  });
  const names = ({ of }: Refusal) => of.map(({ title }) => title).join(", ");
  return [
    listed.join("; "),
    ...common.map((each) => (common.length > 1 ? `Of ${names(each)}: ${each.words}` : each.words)),
  ].join(". ");
}

/** What the person may do about each, with why it cannot be had behind the first that it holds for. */
export function adviceOnAll(lines: readonly Line[]): string[] {
  const firsts = new Map(
    refusalsOf(lines).flatMap(({ words, of: [first] }) => (first ? [[first, words]] : [])),
  );
  return lines.map((line) => {
    const words = firsts.get(line) ?? (line.refused === undefined ? undefined : "likewise");
    return words === undefined ? adviceOf(line) : `${adviceOf(line)} (${words})`;
  });
}

/** Without a connection all hosts are one reason. */
function refusalsOf(lines: readonly Line[]): Refusal[] {
  const refused = lines.filter((line) => line.refused !== undefined);
  const groups = Map.groupBy(refused, (line) => (line.unreachable === undefined ? line.refused : undefined));
  return [...groups].map(([words, of]) => ({ words: words ?? unreachableWords(of), of }));
}

function unreachableWords(lines: readonly Line[]): string {
  const hosts = new Set(lines.flatMap(({ unreachable }) => unreachable ?? []));
  const [first] = lines;
  return hosts.size === 1 && first?.refused !== undefined
    ? first.refused
    : `There is no connection to ${[...hosts].join(", ")}. Check it and try again.`;
}
