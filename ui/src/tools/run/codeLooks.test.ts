import { expect, it } from "vitest";
import { looksLikeCode, looksLikeKey } from "./codeLooks";

it.each([
  "def run(a, b): return a",
  "a\n  class Loader:\n",
  "\n\n  import os;",
  "lambda x: x",
  "text\n\tcurl http://here",
])("takes %j for code", (text) => {
  expect(looksLikeCode(text)).toBe(true);
});

it.each([
  "a first class seat: red",
  "she sits (alone): a portrait",
  "a def (initely) red door",
  "import of tea; china",
])("takes %j for words", (text) => {
  expect([looksLikeCode(text), looksLikeKey(text)]).toEqual([false, false]);
});

it.each(["\n", "\r\n\t", " \n ", "def a(", ")", "class a", ": ", "; "])(
  "reads a long text of %j, which would take minutes in square",
  (piece) => {
    expect(looksLikeCode(`def a(class a${piece.repeat(200_000 / piece.length)}x`)).toBe(false);
  },
);
