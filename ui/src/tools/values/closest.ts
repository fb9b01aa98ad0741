import { areFiles, fileStem } from "../../graph/fileChoices";
import { hasOtherRole } from "../../graph/fileRoles";
import { spelled } from "./spelling";

/** The candidates most like what was asked for, best first; none when nothing is near. */
export function closest(wanted: string, candidates: Iterable<string>, limit = 3): string[] {
  return nearest(candidates, limit, nearnessTo(wanted));
}

/** The same of names that are made of words, such as those of node types: "Image Save" is SaveImage. */
export function closestNames(wanted: string, candidates: Iterable<string>, limit = 3): string[] {
  const nearness = nearnessTo(wanted);
  const words = wordsOf(wanted);
  const nearnessOfWords = (candidate: string) =>
    Math.max(nearness(candidate), shareInCommon(words, wordsOf(candidate)));
  return nearest(candidates, limit, nearnessOfWords, 0.85);
}

/** The same of node types: one that is deprecated only where no other is near. */
export function closestTypes(
  wanted: string,
  types: readonly string[],
  isDeprecated: (type: string) => boolean,
  limit = 3,
): string[] {
  const current = closestNames(
    wanted,
    types.filter((type) => !isDeprecated(type)),
    limit,
  );
  return current.length > 0 ? current : closestNames(wanted, types.filter(isDeprecated), limit);
}

/** Without those that are less near than `ofBest` of the best. */
function nearest(
  candidates: Iterable<string>,
  limit: number,
  nearness: (candidate: string) => number,
  ofBest = 0,
): string[] {
  const found = [...new Set(candidates)]
    .map((candidate) => ({ candidate, score: nearness(candidate) }))
    .filter(({ score }) => score >= 0.6)
    .sort((a, b) => b.score - a.score || a.candidate.length - b.candidate.length);
  const least = ofBest * (found[0]?.score ?? 0);
  return found
    .filter(({ score }) => score >= least)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** From 0 to 1. */
function nearnessTo(wanted: string): (candidate: string) => number {
  const query = spelled(wanted);
  if (query === "") return () => 0;
  return (candidate) =>
    Math.max(likeness(query, spelled(candidate)), isShortWord(wanted, candidate) ? 0.7 : 0);
}

/** Of both together; an s at the end makes no other word. */
function shareInCommon(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const common = [...words].filter((word) => others.has(word)).length;
  return (2 * common) / Math.max(1, words.size + others.size);
}

/** Of one meaning are those of size: ImageResize+ and ImageScale have the same words. */
function wordsOf(name: string): ReadonlySet<string> {
  const words = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu) ?? [];
  return new Set(
    words.map((word) =>
      word
        .toLowerCase()
        .replace(/(?<=..)s$/, "")
        .replace(/^(?:resize|rescale|upscale)$/, "scale"),
    ),
  );
}

const manyChoices = 20;

/**
 * Of many, most that are near are variants of the one that is meant. Neither folders nor endings bring files nearer, and
 * what its name tells to be for something else is none.
 */
export function closestChoices(wanted: string, choices: readonly string[]): string[] {
  const isOfFiles = areFiles(choices);
  const nameOf = isOfFiles ? fileStem : (choice: string) => choice;
  const fitting = isOfFiles ? choices.filter((choice) => !hasOtherRole(wanted, choice)) : choices;
  const named = Map.groupBy(fitting, nameOf);
  const near = closest(nameOf(wanted), named.keys()).flatMap((name) => named.get(name) ?? []);
  return near.slice(0, choices.length > manyChoices ? 1 : 3);
}

/** One has two letters and is a whole word of the other, as `ae` of `flux-ae`; in the midst of a word it says nothing. */
function isShortWord(wanted: string, candidate: string): boolean {
  const [shorter = "", longer = ""] = [wanted, candidate]
    .map((text) => text.toLowerCase())
    .sort((a, b) => a.length - b.length);
  return shorter.length === 2 && longer.split(/[^\p{L}\p{N}]+/u).includes(shorter);
}

/** From 0 to 1: equal, then one within the other, then few edits apart. */
function likeness(query: string, candidate: string): number {
  if (query === candidate) return 1;
  const longer = Math.max(query.length, candidate.length);
  const shorter = Math.min(query.length, candidate.length);
  if (shorter === 0) return 0;
  if (shorter >= 3 && (candidate.includes(query) || query.includes(candidate)))
    return 0.7 + (0.3 * shorter) / longer;
  if (shorter / longer < 0.5) return 0;
  return 1 - editDistance(query, candidate) / longer;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      let cost = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1])
        cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
