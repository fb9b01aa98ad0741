import { describe, expect, it } from "vitest";
import { isIdentical } from "./sameState";

const state = {
  nodes: [{ id: 1, pos: [10, 20], widgets_values: ["a", null], properties: {} }],
  links: [[1, 1, 0, 2, 0, "IMAGE"]],
  extra: { ds: { scale: 1 }, note: "kept" },
};

describe("isIdentical", () => {
  it("holds for a copy, wherever the canvas stands", () => {
    const copy = { ...structuredClone(state), extra: { ds: { scale: 2 }, note: "kept" } };
    expect(isIdentical(state, copy)).toBe(true);
  });

  it("takes what is undefined for what is not there", () => {
    expect(isIdentical({ id: 1, color: undefined }, { id: 1 })).toBe(true);
  });

  it.each([
    ["another value", { ...state, links: [[1, 1, 0, 2, 0, "MASK"]] }],
    ["one less", { ...state, links: [] }],
    ["one more", { ...state, groups: [] }],
    [
      "a place that moved by less than a pixel",
      { ...state, nodes: [{ ...state.nodes[0], pos: [10.2, 20] }] },
    ],
    ["a list in the place of an object", { ...state, extra: [] }],
    ["nothing", undefined],
  ])("does not hold for %s", (_, other) => {
    expect(isIdentical(state, other)).toBe(false);
    expect(isIdentical(other, state)).toBe(false);
  });
});
