/** How the time of a computation grows with what it is given: a bare time would tell of the machine. */

const times = 8;
const tries = 3;

/**
 * Whether `times` as much takes less than three times `times` as long, the shortest of some tries each. `run` is given
 * a size. In square it would take `times` times `times` as long.
 */
export function growsInProportion(run: (size: number) => unknown, size: number): boolean {
  const [short, long] = [size, size * times].map((each) =>
    Math.min(...Array.from({ length: tries }, () => milliseconds(() => run(each)))),
  ) as [number, number];
  return long < 3 * times * short;
}

function milliseconds(run: () => unknown): number {
  const began = performance.now();
  run();
  return performance.now() - began;
}
