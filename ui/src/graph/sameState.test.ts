import { describe, expect, it } from "vitest";
import { isIdentical, isSame } from "./sameState";

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

describe("isSame", () => {
  const withNode = (fields: object) => ({ ...state, nodes: [{ ...state.nodes[0], ...fields }] });

  it.each([
    ["a copy", structuredClone(state)],
    ["a place that moved by less than a pixel", withNode({ pos: [10.2, 20] })],
    ["a size and an order, which the page writes", withNode({ size: [1, 2], order: 7 })],
    ["a link that is told by the list of links", withNode({ inputs: [{ name: "image", link: 9 }] })],
  ])("holds for %s", (_, other) => {
    const one = withNode("inputs" in (other.nodes[0] ?? {}) ? { inputs: [{ name: "image", link: 1 }] } : {});
    expect(isSame(one, other)).toBe(true);
  });

  it.each([
    ["another value", withNode({ widgets_values: ["b", null] })],
    ["a place that moved by a pixel", withNode({ pos: [11, 20] })],
    ["one more field", withNode({ title: "mine" })],
    ["a link more", { ...state, links: [...state.links, [2, 1, 0, 3, 0, "IMAGE"]] }],
  ])("does not hold for %s", (_, other) => {
    expect(isSame(state, other)).toBe(false);
    expect(isSame(other, state)).toBe(false);
  });

  it("leaves out what it is told to, and nothing beside it", () => {
    const looks = new Set(["label"]);
    expect(isSame(state, withNode({ label: "x" }), looks)).toBe(true);
    expect(isSame(state, withNode({ label: "x", title: "mine" }), looks)).toBe(false);
  });
});
