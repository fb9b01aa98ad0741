import { areFiles, fileStem } from "../../graph/fileChoices";
import { hasOtherRole } from "../../graph/fileRoles";
import { spelled } from "./spelling";

/** The candidates most like what was asked for, best first; none when nothing is near. */
export function closest(wanted: string, candidates: Iterable<string>, limit = 3): string[] {
  const query = spelled(wanted);
  if (query === "") return [];
  return [...new Set(candidates)]
    .map((candidate) => ({
      candidate,
      score: Math.max(likeness(query, spelled(candidate)), isShortWord(wanted, candidate) ? 0.7 : 0),
    }))
    .filter(({ score }) => score >= 0.6)
    .sort((a, b) => b.score - a.score || a.candidate.length - b.candidate.length)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
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
