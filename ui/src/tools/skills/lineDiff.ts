/** What differs between two texts, line by line. */

export interface DiffLine {
  sign: "+" | "-" | " " | "…";
  text: string;
}

const context = 2;
/** Beyond that many pairs of lines, what differs is told as replaced. */
const mostPairs = 4_000_000;

/** Lines that are the same are told only around those that are not. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ sign: " ", text }));
  return nearChanges([
    ...same(old.slice(0, start)),
    ...changed(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(old.slice(old.length - end)),
  ]);
}

export function diffText(lines: readonly DiffLine[]): string {
  return lines.map(({ sign, text }) => `${sign} ${text}`.trimEnd()).join("\n");
}

function linesOf(text: string): string[] {
  const whole = text.replace(/\n$/, "");
  return whole ? whole.split("\n") : [];
}

function changed(old: string[], now: string[]): DiffLine[] {
  const removed = old.map((text): DiffLine => ({ sign: "-", text }));
  const added = now.map((text): DiffLine => ({ sign: "+", text }));
  if (old.length * now.length > mostPairs) return [...removed, ...added];
  const common = old.map(() => new Uint32Array(now.length + 1));
  common.push(new Uint32Array(now.length + 1));
  const at = (row: number, column: number) => common[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--) {
      const longest =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
      common[row]?.fill(longest, column, column + 1);
    }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) {
      lines.push({ sign: " ", text: old[row] ?? "" });
      row++;
      column++;
    } else if (at(row + 1, column) >= at(row, column + 1)) lines.push(...removed.slice(row, ++row));
    else lines.push(...added.slice(column, ++column));
  }
  return [...lines, ...removed.slice(row), ...added.slice(column)];
}

function nearChanges(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== " "),
  );
  return lines.flatMap((line, index): DiffLine[] => {
    if (isNear[index]) return [line];
    return index > 0 && !isNear[index - 1] ? [] : [{ sign: "…", text: "" }];
  });
}
