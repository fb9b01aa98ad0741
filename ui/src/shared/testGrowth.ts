/** How the time of a computation grows with what it is given: a bare time would tell of the machine. */

const times = 8;
const tries = 3;
/** In milliseconds; the system counts in steps of up to ten. */
const enough = 16;

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
  const began = processorTime();
  for (let runs = 1; ; runs++) {
    run();
    const taken = processorTime() - began;
    if (taken >= enough) return taken / runs;
  }
}

/** In milliseconds, of this thread: what else the machine does lengthens the time by the clock. */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
