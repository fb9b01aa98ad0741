import { describe, expect, it } from "vitest";
import { createBlockSplitter, splitBlocks } from "./blocks";

const document = [
  "# Title\n\n",
  "A paragraph\nover two lines.\n\n\n",
  "- one\n\n- two\n\n  still two\n\n",
  "```python\na = 1\n\n\nb = 2\n```\n\n",
  "1. first\n\n2. second\n\n",
  "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
  "~~~\n```\n\nnot closed by the other fence\n~~~\n\n",
  "The end.",
];

describe("splitBlocks", () => {
  it("cuts between blocks, and not inside lists and fences", () => {
    expect(splitBlocks(document.join(""))).toEqual(document);
  });

  it("keeps an unfinished fence in one block", () => {
    expect(splitBlocks("Text\n\n```js\nlet a;\n\nlet b;")).toEqual(["Text\n\n", "```js\nlet a;\n\nlet b;"]);
  });

  it("is not fooled by a fence with a language inside a fence", () => {
    const text = "````md\n```js\n\n```\n````\n\n";
    expect(splitBlocks(`${text}after`)).toEqual([text, "after"]);
  });

  it("has no blocks for no text", () => {
    expect(splitBlocks("")).toEqual([]);
  });
});

describe("createBlockSplitter", () => {
  it("gives for a growing text what splitting the whole text gives", () => {
    const split = createBlockSplitter();
    const text = document.join("");
    for (let end = 0; end <= text.length; end += 7) split(text.slice(0, end));
    expect(split(text)).toEqual(splitBlocks(text));
  });

  it("starts over when the text is another one", () => {
    const split = createBlockSplitter();
    split("One\n\nTwo\n\nThree");
    expect(split("Uno\n\nDos")).toEqual(["Uno\n\n", "Dos"]);
  });
});
