/** Boxes on a canvas as a person would go through them: row by row from the top, each from the left. */

import type { Rectangle } from "./graph";

/** Those that begin in the upper half of the first of a row stand in it. What has no box comes last. */
export function inReadingOrder<Each>(
  all: readonly Each[],
  boxOf: (each: Each) => Rectangle | undefined,
): Each[] {
  const boxed = all.flatMap((each) => {
    const box = boxOf(each);
    return box ? [{ each, box }] : [];
  });
  const rows: (typeof boxed)[] = [];
  for (const one of boxed.toSorted((a, b) => a.box.y - b.box.y)) {
    const first = rows.at(-1)?.[0]?.box;
    if (first && one.box.y < first.y + first.height / 2) rows.at(-1)?.push(one);
    else rows.push([one]);
  }
  return [
    ...rows.flatMap((row) => row.toSorted((a, b) => a.box.x - b.box.x).map(({ each }) => each)),
    ...all.filter((each) => !boxOf(each)),
  ];
}
