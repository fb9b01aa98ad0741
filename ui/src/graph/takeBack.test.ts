import { describe, expect, it } from "vitest";
import { onlyDifferences } from "./sameState";
import { takeBack } from "./takeBack";

const node = (id: number, values: unknown[] = [], others: object = {}) => ({
  id,
  type: "Node",
  pos: [id * 100, 0],
  size: [200, 100],
  widgets_values: values,
  inputs: [{ name: "in", type: "X", link: null }],
  outputs: [{ name: "out", type: "X", links: [] }],
  ...others,
});

/** `links` as `[id, from, to]`. */
function workflow(nodes: ReturnType<typeof node>[], links: [number, number, number][] = []) {
  return {
    last_node_id: Math.max(...nodes.map(({ id }) => id)),
    nodes: nodes.map((each) => ({
      ...each,
      inputs: [{ name: "in", type: "X", link: links.find(([, , to]) => to === each.id)?.[0] ?? null }],
      outputs: [
        { name: "out", type: "X", links: links.flatMap(([id, from]) => (from === each.id ? [id] : [])) },
      ],
    })),
    links: links.map(([id, from, to]) => [id, from, 0, to, 0, "X"]),
    groups: [],
  };
}

type State = ReturnType<typeof workflow>;

/** As it is, and as it is kept while the page is loaded anew: to the same effect. */
function taken(before: State, after: State, now: State) {
  const { state, inTheWay } = takeBack({ before, after }, now);
  const kept = JSON.parse(JSON.stringify(onlyDifferences({ before, after })));
  expect(takeBack(kept, now)).toEqual({ state, inTheWay });
  const { nodes, links } = state as State;
  return {
    inTheWay,
    values: Object.fromEntries(nodes.map(({ id, widgets_values }) => [id, widgets_values])),
    places: Object.fromEntries(nodes.map(({ id, pos }) => [id, pos[0]])),
    links: links.map(([, from, , to]) => `${from}>${to}`),
    state: state as State,
  };
}

describe("a change taken back", () => {
  it("leaves exactly what was, where nobody changed anything since", () => {
    const before = workflow([node(1, [5])]);
    const after = workflow([node(1, [7]), node(2)], [[1, 1, 2]]);
    expect(takeBack({ before, after }, structuredClone(after)).state).toBe(before);
  });

  it("takes a node away whose title the page does not write any more, and none with another title", () => {
    const before = workflow([node(1)]);
    const after = workflow([node(1), node(2, [], { title: "Inner" })]);
    const now = (others: object) => workflow([node(1), node(2, [], others)]);
    expect(taken(before, after, now({})).values).toEqual({ 1: [] });
    expect(taken(before, after, now({ title: "Mine" })).inTheWay).toEqual(["2 Mine"]);
  });

  it("leaves other values of the same node, other nodes, and places as the person has made them since", () => {
    const before = workflow([node(1, [5, "a"])]);
    const after = workflow([node(1, [7, "a"])]);
    const now = workflow([node(1, [7, "b"], { pos: [900, 0] }), node(2, [1])]);
    expect(taken(before, after, now)).toMatchObject({
      inTheWay: [],
      values: { 1: [5, "b"], 2: [1] },
      places: { 1: 900 },
    });
  });

  it("is in nobody's way where the person has taken it back already", () => {
    const [before, after] = [workflow([node(1, [5])]), workflow([node(1, [7])])];
    expect(taken(before, after, structuredClone(before))).toMatchObject({ inTheWay: [], values: { 1: [5] } });
  });

  it("gives an id back to the node that had it, whatever the page has finished of the other since", () => {
    const before = workflow([node(1), node(8, [41], { type: "Number" })]);
    const after = workflow([node(1), node(8, ["wide", 2], { type: "Resize" })], [[1, 1, 8]]);
    const now = structuredClone(after);
    for (const slot of now.nodes[1]?.outputs ?? []) slot.type = "IMAGE";
    const { inTheWay, state } = taken(before, after, now);
    expect([inTheWay, state.nodes[1]?.type, state.nodes[1]?.widgets_values]).toEqual([[], "Number", [41]]);
    const touched = workflow([node(1), node(8, ["wide", 3], { type: "Resize" })], [[1, 1, 8]]);
    expect(taken(before, after, touched).inTheWay).toEqual(["8 Resize"]);
  });

  it("says what stops it where the person has changed the same since", () => {
    const [before, after] = [workflow([node(1, [5])]), workflow([node(1, [7])])];
    expect(taken(before, after, workflow([node(1, [9])])).inTheWay).toEqual(["1 Node"]);
  });

  it("takes away what was added, also where it has been moved, and not where it has been worked on", () => {
    const before = workflow([node(1)]);
    const after = workflow([node(1), node(2, [1])], [[1, 1, 2]]);
    const moved = workflow([node(1), node(2, [1], { pos: [999, 999] }), node(3)], [[1, 1, 2]]);
    expect(taken(before, after, moved)).toMatchObject({ inTheWay: [], values: { 1: [], 3: [] }, links: [] });
    const worked = workflow([node(1), node(2, [8])], [[1, 1, 2]]);
    expect(taken(before, after, worked).inTheWay).toEqual(["2 Node"]);
  });

  it("takes away what was added, also where its pack has renamed a button since, and not where a value is another", () => {
    const named = (label: string, seed: number) =>
      node(2, [seed, null], { widgets_values_named: { seed, [label]: null } });
    const before = workflow([node(1)]);
    const after = workflow([node(1), named("Last seed", -1)]);
    expect(taken(before, after, workflow([node(1), named("Last seed: 7", -1)])).state).toEqual(before);
    const worked = taken(before, after, workflow([node(1), named("Last seed: 7", 7)]));
    expect(worked.inTheWay).toEqual(["2 Node"]);
  });

  it("is stopped by a link that was drawn since to what was added", () => {
    const before = workflow([node(1)]);
    const after = workflow([node(1), node(2)], [[1, 1, 2]]);
    const now = workflow(
      [node(1), node(2), node(3)],
      [
        [1, 1, 2],
        [2, 2, 3],
      ],
    );
    expect(taken(before, after, now).inTheWay).toEqual(["the link from 2 to 3"]);
  });

  it("puts back what was removed, with its links, and the slots tell the same", () => {
    const before = workflow(
      [node(1), node(2), node(3)],
      [
        [1, 1, 2],
        [2, 2, 3],
      ],
    );
    const after = workflow([node(1), node(3)], [[3, 1, 3]]);
    const now = workflow(
      [node(1), node(3), node(4)],
      [
        [3, 1, 3],
        [4, 1, 4],
      ],
    );
    const { inTheWay, links, state } = taken(before, after, now);
    expect([inTheWay, links.sort()]).toEqual([[], ["1>2", "1>4", "2>3"]]);
    expect(state.nodes.find(({ id }) => id === 1)?.outputs[0]?.links.sort()).toEqual([1, 4]);
    expect(state.nodes.find(({ id }) => id === 3)?.inputs[0]?.link).toBe(2);
    expect(state.last_node_id).toBe(4);
  });

  it("is stopped by another link into the same input", () => {
    const before = workflow([node(1), node(2), node(3)], [[1, 1, 3]]);
    const after = workflow([node(1), node(2), node(3)]);
    const now = workflow([node(1), node(2), node(3)], [[2, 2, 3]]);
    expect(taken(before, after, now).inTheWay).toEqual(["3 Node"]);
  });

  it("leaves alone what the person has removed since", () => {
    const [before, after] = [workflow([node(1, [5]), node(2, [5])]), workflow([node(1, [7]), node(2, [7])])];
    expect(taken(before, after, workflow([node(2, [7])]))).toMatchObject({
      inTheWay: [],
      values: { 2: [5] },
    });
  });
});

it("Links of nodes that are long gone, which some files list, are not in the way", () => {
  const before = workflow(
    [node(1), node(2)],
    [
      [1, 1, 2],
      [9, 7, 8],
    ],
  );
  const after = workflow([node(1), node(2), node(3)], [[1, 1, 2]]);
  const now = workflow([node(1), node(2), node(3), node(4)], [[1, 1, 2]]);
  expect(takeBack({ before, after }, now)).toMatchObject({
    inTheWay: [],
    state: { nodes: [{ id: 1 }, { id: 2 }, { id: 4 }], links: [[1, 1, 0, 2, 0, "X"]] },
  });
});

it("What a pack notes of the links of the last run is not in the way", () => {
  const noted = (nodes: ReturnType<typeof node>[], ...links_added_by_ue: number[]) => ({
    ...workflow(nodes),
    extra: { links_added_by_ue },
  });
  const [before, after] = [noted([node(1)], 4), noted([node(1), node(2)], 5, 6)];
  const now = noted([node(1), node(2)], 7, 8, 9);
  expect(takeBack({ before, after }, now)).toMatchObject({ inTheWay: [], state: { nodes: [{ id: 1 }] } });
});
