import { expect, it } from "vitest";
import { createTurns } from "../chat/turn/turns";
import type { KeptTurn } from "../comfy/bridge";
import { growsInProportion } from "../shared/testGrowth";
import { memoryStorage } from "../shared/testStorage";
import { keepTurns, restoreTurns } from "./keptTurns";

function page(made: KeptTurn[] = []) {
  const turns = createTurns();
  const restored: KeptTurn[] = [];
  const comfy = {
    keptTurns: () => made,
    restoreTurns: (those: readonly KeptTurn[]) => void restored.push(...those),
  };
  return { turns, comfy, restored, news: new Set<string>() };
}

const change = (turn: string, after: unknown): KeptTurn => ({
  turn,
  isUndone: false,
  changes: [{ path: "a.json", name: "a", before: {}, after }],
});

function turnWithCall(turns: ReturnType<typeof createTurns>, message: string) {
  turns.begin("thread", message, "open");
  turns.call("thread", `call of ${message}`);
  return turns.turnOf([`call of ${message}`])?.id ?? "";
}

it("knows the turns that changed something, their calls and the news of them again", () => {
  const left = page();
  const store = memoryStorage();
  turnWithCall(left.turns, "u1");
  const id = turnWithCall(left.turns, "u2");
  left.comfy.keptTurns = () => [change(id, { nodes: [] })];
  left.news.add(id);
  keepTurns(store, left);

  const loaded = page();
  restoreTurns(store, loaded);
  expect(loaded.restored).toEqual([change(id, { nodes: [] })]);
  expect(["u1", "u2"].map((message) => loaded.turns.turnOf([`call of ${message}`])?.id)).toEqual([
    undefined,
    id,
  ]);
  expect(loaded.turns.all("thread").map(({ message }) => message)).toEqual(["u2"]);
  expect([...loaded.news]).toEqual([id]);
  expect(turnWithCall(loaded.turns, "u2")).not.toBe(id);
});

it("keeps the newest that there is room for", () => {
  const store = memoryStorage();
  keepTurns(store, page([change("old", "x".repeat(900_000)), change("new", "x".repeat(200_000))]));
  const loaded = page();
  restoreTurns(store, loaded);
  expect(loaded.restored.map(({ turn }) => turn)).toEqual(["new"]);
});

it("keeps fewer where the browser has less room, and what of a run goes on in any case", () => {
  const store = memoryStorage();
  const setItem = (key: string, text: string) => {
    if (text.length > 250_000) throw new DOMException("full", "QuotaExceededError");
    store.setItem(key, text);
  };
  const made = Array.from({ length: 8 }, (_, index) => change(`${index}`, "x".repeat(100_000)));
  keepTurns({ setItem }, page(made));
  const loaded = page();
  restoreTurns(store, loaded);
  expect(loaded.restored.map(({ turn }) => turn)).toEqual(["6", "7"]);
});

it("looks at each turn once, since a page that is left waits for it", () => {
  const turns = (count: number) =>
    Array.from({ length: count }, (_, index) => change(`${index}`, "x".repeat(20_000)));
  const many = new Map([100, 800].map((count) => [count, turns(count)]));
  expect(growsInProportion((count) => keepTurns(memoryStorage(), page(many.get(count))), 100)).toBe(true);
});

it.each([
  ["nothing", null],
  ["what is no JSON", "{"],
  ["what another version wrote", "{}"],
])("goes on with %s", (_, text) => {
  const loaded = page();
  restoreTurns({ getItem: () => text }, loaded);
  expect(loaded.turns.all("thread")).toEqual([]);
});
