import { beforeEach, expect, it, vi } from "vitest";
import { createTurns, type Turns } from "../chat/turns";
import { createTurnOwner } from "./turnOwner";

const LOOK_MS = 5;

/** The locks of one browser, as its pages see them. */
function createLocks() {
  const holders = new Map<string, Promise<unknown>>();
  const taken = new Set<string>();
  async function request(name: string, { ifAvailable }: LockOptions, onLock: (lock: Lock | null) => unknown) {
    if (ifAvailable && taken.has(name)) return onLock(null);
    const before = holders.get(name);
    const run = (async () => {
      await before;
      taken.add(name);
      try {
        return await onLock({ name, mode: "exclusive" });
      } finally {
        taken.delete(name);
      }
    })();
    holders.set(name, run);
    return run;
  }
  return { request } as unknown as LockManager;
}

function createPage(locks: LockManager | undefined, kept: string | null = null) {
  const turns = createTurns();
  const page = new EventTarget();
  let text = kept;
  const owner = createTurnOwner(
    turns,
    {
      locks,
      storage: {
        getItem: () => text,
        setItem: (_, value) => {
          text = value;
        },
      },
      addEventListener: page.addEventListener.bind(page),
    },
    LOOK_MS,
  );
  return {
    turns,
    owner,
    /** Loaded anew where its turns are over for this object; what it leaves to the next page. */
    leave() {
      page.dispatchEvent(new Event("pagehide"));
      turns.phases.set(new Map());
      return text;
    },
  };
}

let locks: LockManager;
beforeEach(() => {
  locks = createLocks();
});

const watch = (turns: Turns) => turns.rejoin("t1", "m1", "w1", true);
const whileLooking = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS * 16));

it("leaves a turn to the page that runs it, and takes it when that page is gone", async () => {
  const [first, second] = [createPage(locks), createPage(locks)];
  first.turns.begin("t1", "m1", "w1");
  watch(second.turns);
  second.owner.succeed("t1");
  await whileLooking();
  expect(second.turns.isWatched("t1")).toBe(true);

  first.leave();
  await vi.waitFor(() => expect(second.turns.isWatched("t1")).toBe(false));
});

it("lets only one of two pages take it", async () => {
  const [first, second, third] = [createPage(locks), createPage(locks), createPage(locks)];
  first.turns.begin("t1", "m1", "w1");
  for (const { turns, owner } of [second, third]) {
    watch(turns);
    owner.succeed("t1");
  }
  first.leave();
  await whileLooking();
  await whileLooking();
  expect([second, third].filter(({ turns }) => turns.isWatched("t1"))).toHaveLength(1);
});

it("knows a page that is loaded anew for the one that ran the turn, unless another one has taken it", async () => {
  const first = createPage(locks);
  first.turns.begin("t1", "m1", "w1");
  const left = first.leave();
  await whileLooking();
  const [again, another, late] = [createPage(locks, left), createPage(locks), createPage(locks, left)];
  expect(await another.owner.takeBack("t1")).toBe(false);
  expect(await again.owner.takeBack("t1")).toBe(true);
  expect(await late.owner.takeBack("t1")).toBe(false);

  expect(again.leave()).toBe("t1");
  await whileLooking();
  expect(await late.owner.takeBack("t1")).toBe(true);
});

it("takes nothing after the waiting has ended, nor in a browser without locks", async () => {
  const [waiting, without] = [createPage(locks), createPage(undefined)];
  watch(waiting.turns);
  waiting.owner.succeed("t1")();
  watch(without.turns);
  without.owner.succeed("t1");
  await whileLooking();
  expect([waiting, without].map(({ turns }) => turns.isWatched("t1"))).toEqual([true, true]);
  expect(await without.owner.takeBack("t1")).toBe(false);
});
