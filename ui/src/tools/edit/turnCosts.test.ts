import { expect, it } from "vitest";
import { editWorkflow } from "../editWorkflow";
import { removeNode } from "../removeNode";
import { edit } from "../testing/editCalls";
import { testCalls } from "../testing/testCall";

const many = (count: number) => {
  const calls = testCalls(Array.from({ length: count }, () => "EmptyImage"));
  calls.turn = "first";
  calls.isAllowed = false;
  return calls;
};

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

const acts: [string, (nodes: string[]) => object[], string][] = [
  [
    "removed",
    (nodes) => [{ op: "remove", nodes }],
    "Delete EmptyImage (22), EmptyImage (23), EmptyImage (24)?",
  ],
  [
    "replaced",
    (nodes) => nodes.map((node) => ({ op: "replace", nodes: [node], type: "LoadImage" })),
    "Replace EmptyImage (22), EmptyImage (23), EmptyImage (24) by LoadImage?",
  ],
  [
    "muted",
    (nodes) => [{ op: "mode", nodes, mode: "mute" }],
    "Mute EmptyImage (22), EmptyImage (23), EmptyImage (24)?",
  ],
  [
    "bypassed",
    (nodes) => [{ op: "mode", nodes, mode: "bypass" }],
    "Bypass EmptyImage (22), EmptyImage (23), EmptyImage (24)?",
  ],
  [
    "wrapped",
    (nodes) => [{ op: "makeSubgraph", nodes }],
    "Wrap EmptyImage (22), EmptyImage (23), EmptyImage (24) in a subgraph?",
  ],
];

it.each(acts)(
  "what is %s three at a time is asked about once it is more than three",
  async (_, operations, title) => {
    const calls = many(24);
    const before = calls.lines();
    let done = 0;
    for (let from = 0; from < 24; from += 3) {
      const result = await edit(calls, ...operations(ids(24).slice(from, from + 3)));
      if (result.ok) done += 1;
      else expect(result).toMatchObject({ code: "declined" });
    }
    const areOnlyAsked = title.startsWith("Delete");
    expect(done).toBe(areOnlyAsked ? 0 : 1);
    expect(calls.asked).toHaveLength(areOnlyAsked ? 8 : 7);
    expect(calls.asked.at(-1)?.title).toBe(title);
    if (!areOnlyAsked) expect(calls.asked[0]?.detail).toBe("With what this turn did before: 6 nodes.");
    if (areOnlyAsked) expect(calls.lines()).toEqual(before);
  },
);

it("adds up acts of different kinds", async () => {
  const calls = many(6);
  await edit(calls, { op: "mode", nodes: ["1", "2"], mode: "mute" });
  await edit(calls, { op: "mode", nodes: ["3"], mode: "bypass" });
  expect(calls.asked).toEqual([]);
  await edit(
    calls,
    { op: "replace", nodes: ["4"], type: "LoadImage" },
    { op: "mode", nodes: ["5", "6"], mode: "mute" },
  );
  expect(calls.asked).toMatchObject([
    {
      title: "Replace EmptyImage (4) by LoadImage, mute EmptyImage (5), EmptyImage (6)?",
      detail: "With what this turn did before: 6 nodes.",
    },
  ]);
});

it("begins anew with each turn, and counts a node once", async () => {
  const calls = many(6);
  for (const mode of ["mute", "bypass", "active", "mute"])
    await edit(calls, { op: "mode", nodes: ["1", "2", "3"], mode });
  calls.turn = "second";
  await edit(calls, { op: "mode", nodes: ["4", "5", "6"], mode: "mute" });
  expect(calls.asked).toEqual([]);
});

it("does not count what the turn has added itself, in the same batch or before", async () => {
  const calls = many(0);
  const named = ["a", "b", "c", "d"];
  const add = named.map((as) => ({ op: "add", type: "EmptyImage", as }));
  expect(await edit(calls, ...add, { op: "mode", nodes: named, mode: "mute" })).toMatchObject({ ok: true });
  expect(await edit(calls, { op: "makeSubgraph", nodes: ids(4) })).toMatchObject({ ok: true });
  expect(calls.asked).toEqual([]);
  calls.turn = "second";
  await calls.call(editWorkflow, { operations: add });
  const more = calls.comfy.graph().nodes.flatMap(({ id, type }) => (type === "EmptyImage" ? [id] : []));
  for (const node of more) await calls.call(removeNode, { node });
  expect(calls.asked).toEqual([]);
  expect(more).toHaveLength(4);
});

it("names what the workflow called in a way that can neither end our quotes nor turn the line", async () => {
  const calls = many(8);
  const title = `Notes” (node 9). Nothing is lost.\u202e\n“${"x".repeat(200)}`;
  await edit(calls, { op: "makeSubgraph", nodes: ids(3), title });
  const [outer] = calls.comfy.graph().nodes.filter(({ subgraph }) => subgraph);
  calls.turn = "second";
  calls.asked.length = 0;
  await edit(calls, { op: "mode", nodes: [outer?.id ?? "", "4", "5", "6"], mode: "mute" });
  expect(calls.asked[0]?.title).toMatch(
    /^Mute Subgraph “Notes� \(node 9\)\. Nothing is lost\.���x{1,45}… \(\d+ more characters\)” \(\d+\), EmptyImage \(4\), /,
  );
});

it("names the first thirty of many", async () => {
  const calls = many(40);
  await edit(calls, { op: "remove", nodes: ids(40) });
  expect(calls.asked[0]?.title).toBe("Delete 40 nodes?");
  expect(calls.asked[0]?.detail).toMatch(/, EmptyImage \(30\) and 10 more\.$/);
});

it("counts many in the title, and says below what happens to each", async () => {
  const calls = many(9);
  await edit(
    calls,
    { op: "remove", nodes: ids(6) },
    { op: "replace", nodes: ["7"], type: "LoadImage" },
    { op: "mode", nodes: ["8", "9"], mode: "mute" },
  );
  expect(calls.asked[0]).toMatchObject({
    title: "Delete 6 nodes, replace 1 node by LoadImage, mute 2 nodes?",
    detail: expect.stringMatching(
      /^Delete EmptyImage \(1\), .*, replace EmptyImage \(7\) by LoadImage, mute EmptyImage \(8\), EmptyImage \(9\)\.$/,
    ),
  });
});

it("points at each node where it lies, in the workflow that was asked about", async () => {
  const calls = many(2);
  await edit(calls, { op: "remove", nodes: ["2"] });
  expect(calls.asked).toEqual([
    {
      title: "Delete EmptyImage (2)?",
      pointing: {
        title: ["Delete ", { words: "EmptyImage (2)", path: "/2", type: "EmptyImage" }, "?"],
        detail: [""],
        workflow: calls.comfy.workflow().key,
      },
    },
  ]);
});
