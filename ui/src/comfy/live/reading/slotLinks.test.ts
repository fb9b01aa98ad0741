import { describe, expect, it } from "vitest";
import type { LiveGraph, LiveInput, LiveLink, LiveOutput } from "../page";
import { slotLinks } from "./slotLinks";

const links = new Map(
  [
    { id: 12, origin_id: 1, origin_slot: 0, target_id: 3, target_slot: 0 },
    { id: 5, origin_id: 1, origin_slot: 0, target_id: 2, target_slot: 1 },
  ].map((link): [number, LiveLink] => [link.id, link]),
);
const graph = { links, getLink: (id: number) => links.get(id) } as unknown as LiveGraph;

class LookedUp {
  get link(): never {
    throw new Error("was asked");
  }
  get links(): never {
    throw new Error("was asked");
  }
}

const idsOf = (found: readonly LiveLink[]) => found.map(({ id }) => id);

describe("the links of slots", () => {
  it("are found without asking slots that look them up", () => {
    const slot = new LookedUp() as unknown as LiveInput & LiveOutput;
    const { into, outOf } = slotLinks(graph);
    expect(into("2", 1, slot)?.id).toBe(5);
    expect(into(2, 0, slot)).toBeUndefined();
    expect(idsOf(outOf("1", 0, slot))).toEqual([5, 12]);
    expect(outOf("1", 1, slot)).toEqual([]);
  });

  it("are those that a slot holds itself, whatever the graph's links say", () => {
    const { into, outOf } = slotLinks(graph);
    expect(into(9, 0, { name: "a", type: "IMAGE", link: 12 })?.id).toBe(12);
    expect(into(2, 1, { name: "a", type: "IMAGE", link: null })).toBeUndefined();
    expect(idsOf(outOf(1, 0, { name: "b", type: "IMAGE", links: [12, 5, 99] }))).toEqual([12, 5]);
    expect(outOf(1, 0, { name: "b", type: "IMAGE" })).toEqual([]);
  });
});
