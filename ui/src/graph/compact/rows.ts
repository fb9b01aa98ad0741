/** Growing rows among the inputs of a node that is built from lines. */

import type { ShapeInput } from "../nodeShape";

/**
 * With as many inputs of each row as are linked and one that is open, where the row stands: ComfyUI's page saves a row
 * so, and opens no further input of one that it loads without.
 */
export function withGrownRows(inputs: readonly ShapeInput[], linked: readonly string[]): ShapeInput[] {
  const rows = new Map(inputs.flatMap(({ row }) => (row ? [[rowName(row), row] as const] : [])));
  return [...rows].reduce(
    (all, [name, row]) => {
      const places = linked.flatMap((each) => {
        const place = row.indexOf(fullName(row, each));
        return place >= 0 ? [place + 1] : [];
      });
      const bare = linked.filter((each) => each === name).length;
      const most = Math.max(0, ...places) + bare;
      const there = new Set(all.map((input) => input.name));
      const last = all.findLastIndex((input) => input.row === row);
      const model = all[last];
      const missing = most === 0 || !model ? [] : row.slice(0, most + 1).filter((each) => !there.has(each));
      const grown = missing.map((each) => ({ ...model, name: each, isOptional: true }) as ShapeInput);
      return [...all.slice(0, last + 1), ...grown, ...all.slice(last + 1)];
    },
    [...inputs],
  );
}

/** Which input a line means by `image1`, or by the name of the whole row: the first that is not taken. */
export function rowInput(
  inputs: readonly ShapeInput[],
  name: string,
  isTaken: (input: string) => boolean,
): number {
  const meant = inputs.flatMap(({ name: full, row }, index) => {
    if (!row) return [];
    const isMeant = rowName(row) === name ? !isTaken(full) : fullName(row, name) === full;
    return isMeant ? [index] : [];
  });
  const isOneRow = new Set(meant.map((index) => inputs[index]?.row)).size === 1;
  return isOneRow ? (meant[0] ?? -1) : -1;
}

function rowName([first = ""]: readonly string[]): string {
  return first.slice(0, first.lastIndexOf("."));
}

function fullName(row: readonly string[], name: string): string {
  const full = `${rowName(row)}.${name}`;
  return row.includes(full) ? full : name;
}
