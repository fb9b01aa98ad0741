import { expect, it } from "vitest";
import { inOrderOfFlow } from "./flow";

/** `"3<1 2"` is node 3, fed by 1 and 2. */
function ordered(...lines: string[]): string {
  const sources = new Map(
    lines.map((line) => {
      const [id = "", from = ""] = line.split("<");
      return [id, from.split(" ").filter(Boolean)];
    }),
  );
  return inOrderOfFlow([...sources.keys()], (id) => sources.get(id) ?? []).join(" ");
}

it.each([
  [
    "a chain that is written backwards",
    ["save<decode", "decode<sample", "sample<load", "load"],
    "load sample decode save",
  ],
  ["a source of two", ["sample<load text", "text<load", "load"], "load text sample"],
  ["a source that a later source needs", ["c<a b", "a<b", "b"], "b a c"],
  ["nodes without links", ["2", "1", "3"], "2 1 3"],
  ["a circle", ["1<2", "2<1", "3<2"], "2 1 3"],
  ["a node that feeds itself", ["1<1", "2<1"], "1 2"],
])("brings %s into order", (_, lines, expected) => {
  expect(ordered(...lines)).toBe(expected);
});

it("goes through a chain of any length", () => {
  const nodes = Array.from({ length: 20_000 }, (_, index) => index);
  expect(inOrderOfFlow(nodes, (node) => (node + 1 < nodes.length ? [node + 1] : []))[0]).toBe(19_999);
});
