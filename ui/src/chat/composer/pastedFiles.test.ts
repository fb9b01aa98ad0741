import { expect, it } from "vitest";
import { pastedFiles } from "./pastedFiles";

const picture = new File(["…"], "image.png", { type: "image/png" });

function pasted(texts: Record<string, string>): File[] {
  const files = Object.assign([picture], { item: () => picture });
  return pastedFiles({ files, getData: (type) => texts[type] ?? "" });
}

it.each([
  ["a screenshot", {}],
  ["a picture of a web page", { "text/html": "<img src='…'>" }],
  ["a file, beside its name", { "text/plain": "image.png" }],
])("%s is a file", (_, texts) => expect(pasted(texts)).toEqual([picture]));

it("cells of a table, of which there is a picture too, are text", () =>
  expect(pasted({ "text/plain": "4711\t30\n", "text/html": "<table>…" })).toEqual([]));
