import { beforeEach, expect, it, vi } from "vitest";
import type { TurnState } from "../api/replies";
import { createTurns, type Turns } from "../chat/turn/turns";
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
  let unnamed = 0;
  let state: TurnState = { isOver: false, isMine: true, response: null, begun: {}, workflow: undefined };
  const told: TurnState[] = [];
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
      claim: async () => (unnamed-- > 0 ? undefined : state),
    },
    LOOK_MS,
  );
  return {
    turns,
    owner,
    told,
    wait: () =>
      owner.succeed("t1", async (state) => {
        told.push(state);
      }),
    /** What the server says from now on. */
    hears(next: Partial<TurnState>) {
      state = { ...state, ...next };
    },
    /** It has no name by which it could ask the server, the next times that it tries. */
    isUnnamed(times: number) {
      unnamed = times;
    },
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
  second.wait();
  await whileLooking();
  expect(second.turns.isWatched("t1")).toBe(true);

  first.leave();
  await vi.waitFor(() => expect(second.turns.isWatched("t1")).toBe(false));
});

it("lets only one of two pages take it", async () => {
  const [first, second, third] = [createPage(locks), createPage(locks), createPage(locks)];
  first.turns.begin("t1", "m1", "w1");
  for (const page of [second, third]) {
    watch(page.turns);
    page.wait();
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

it("takes nothing after the waiting has ended", async () => {
  const waiting = createPage(locks);
  watch(waiting.turns);
  waiting.wait()();
  await whileLooking();
  expect(waiting.turns.isWatched("t1")).toBe(true);
});

it.each([
  ["with locks", () => locks],
  ["without locks", () => undefined],
])("leaves a turn to a page of another browser as long as the server says so, %s", async (_, browser) => {
  const page = createPage(browser());
  page.hears({ isMine: false, response: "r1" });
  watch(page.turns);
  page.wait();
  await whileLooking();
  expect(page.turns.isWatched("t1")).toBe(true);
  expect(page.told.at(-1)).toMatchObject({ isMine: false, response: "r1" });

  page.turns.call("t1", "c1");
  page.turns.call("t1", "c2");
  page.hears({ isMine: true, begun: { c1: null } });
  await vi.waitFor(() => expect(page.turns.isWatched("t1")).toBe(false));
  expect([page.turns.isNew("c1"), page.turns.isNew("c2")]).toEqual([false, true]);
  expect(await page.owner.takeBack("t1")).toBe(false);
});

it("asks whose turn it is as soon as the page has a name", async () => {
  const page = createPage(locks);
  page.isUnnamed(2);
  page.hears({ isMine: false });
  expect(await page.owner.isOfAnotherPage("t1")).toBe(true);
  page.hears({ isMine: true });
  expect(await page.owner.isOfAnotherPage("t1")).toBe(false);
  page.hears({ isMine: false, isOver: true });
  expect(await page.owner.isOfAnotherPage("t1")).toBe(false);
});
