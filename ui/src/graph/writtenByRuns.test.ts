import { expect, it } from "vitest";
import { takeBack } from "./takeBack";
import { type IsByRun, withRunWrites } from "./writtenByRuns";

const seeded = (id: number, seed: number, steps = 20) => ({
  id,
  type: "Sampler",
  pos: [0, 0],
  size: [200, 100],
  widgets_values: [seed, "randomize", steps],
  widgets_values_named: { seed, control_after_generate: "randomize", steps },
});

const workflow = (...nodes: object[]) => ({ id: "w", nodes, links: [], groups: [] });

/** The page has rolled these seeds. */
const rolled =
  (...seeds: number[]): IsByRun =>
  (_, __, place, value) =>
    (place === "0" || place === "seed") && seeds.includes(value as number);

function taken(before: object, after: object, now: object, isByRun: IsByRun) {
  return takeBack(withRunWrites({ before, after }, now, isByRun), now);
}

it("a node that was added is nobody's work where the page has rolled its seed since, and somebody's with a seed by hand", () => {
  const [before, after] = [workflow(), workflow(seeded(1, 0))];
  expect(taken(before, after, workflow(seeded(1, 88)), rolled(77, 88))).toEqual({
    state: before,
    inTheWay: [],
  });
  expect(taken(before, after, workflow(seeded(1, 42)), rolled(77, 88)).inTheWay).toEqual(["1 Sampler"]);
  expect(taken(before, after, workflow(seeded(1, 88, 30)), rolled(77, 88)).inTheWay).toEqual(["1 Sampler"]);
});

it("a seed that was set becomes what it was, and one that was left alone stays as it was rolled", () => {
  const before = workflow(seeded(1, 7), seeded(2, 7));
  const after = workflow(seeded(1, 5), seeded(2, 7, 30));
  const now = workflow(seeded(1, 88), seeded(2, 99, 30));
  const { state, inTheWay } = taken(before, after, now, rolled(88, 99));
  expect([state, inTheWay]).toEqual([workflow(seeded(1, 7), seeded(2, 99)), []]);
});

it("values by name, as some packs save them, and those inside subgraphs are rolled, too", () => {
  const inside = (seed: number) => ({
    ...workflow(),
    definitions: {
      subgraphs: [{ id: "s", nodes: [{ id: 1, type: "Sampler", widgets_values: { seed, steps: 20 } }] }],
    },
  });
  const isByRun: IsByRun = (graph, node, place, value) =>
    `${graph} ${node} ${place} ${value}` === "s 1 seed 88";
  expect(withRunWrites({ before: workflow(), after: inside(0) }, inside(88), isByRun).after).toEqual(
    inside(88),
  );
});

it("a text that a run has shown in a widget of its own goes with the node", () => {
  const shown = (...texts: string[]) => ({ id: 1, type: "Show", pos: [0, 0], widgets_values: texts });
  const isByRun: IsByRun = (_, __, place, value) => place === "1" && value === "seven";
  const change = { before: workflow(), after: workflow(shown("")) };
  const now = workflow(shown("", "seven"));
  expect(withRunWrites(change, now, isByRun).after).toEqual(now);
  const typed = workflow(shown("", "eight"));
  expect(withRunWrites(change, typed, isByRun)).toBe(change);
});

it("a change since which nothing was rolled is the same one", () => {
  const change = { before: workflow(), after: workflow(seeded(1, 0)) };
  expect(withRunWrites(change, workflow(seeded(1, 88)), () => false)).toBe(change);
  expect(withRunWrites(change, undefined, () => true)).toBe(change);
});
