import { expect, it } from "vitest";
import { diffText, lineDiff } from "./lineDiff";

const lines = (...texts: string[]) => `${texts.join("\n")}\n`;
const diff = (before: string, after: string) => diffText(lineDiff(before, after)).split("\n");

it.each([
  ["nothing", lines("a", "b"), lines("a", "b"), ["…"]],
  ["a new text", "", lines("a", "b"), ["+ a", "+ b"]],
  ["a text that is gone", lines("a", "b"), "", ["- a", "- b"]],
  ["a line replaced", lines("a", "b", "c"), lines("a", "x", "c"), ["  a", "- b", "+ x", "  c"]],
  ["a line moved", lines("a", "b", "c"), lines("b", "c", "a"), ["- a", "  b", "  c", "+ a"]],
  ["a line put in", lines("a", "c"), lines("a", "b", "c"), ["  a", "+ b", "  c"]],
  ["an empty line", lines("a"), lines("a", ""), ["  a", "+"]],
])("tells %s", (_, before, after, expected) => {
  expect(diff(before, after)).toEqual(expected);
});

it("leaves out what is far from any change", () => {
  const numbers = Array.from({ length: 20 }, (_, index) => String(index));
  const after = numbers.map((line) => (line === "10" ? "ten" : line));
  expect(diff(lines(...numbers), lines(...after))).toEqual([
    ...["…", "  8", "  9", "- 10", "+ ten", "  11", "  12", "…"],
  ]);
});

it("gives both texts back, whatever they are", () => {
  const texts = ["", "a", "a\nb", "b\na\nb", "a\n\nb\n", "x\ny\nz\na"].map((text) => `${text}\n`);
  for (const before of texts)
    for (const after of texts) {
      const told = lineDiff(before, after);
      const side = (sign: string) =>
        told.filter((line) => line.sign === sign || line.sign === " ").map(({ text }) => text);
      if (told.some(({ sign }) => sign === "…")) continue;
      expect(side("+").join("\n")).toBe(after.replace(/\n$/, ""));
      expect(side("-").join("\n")).toBe(before.replace(/\n$/, ""));
    }
});
