import { expect, it } from "vitest";
import { filesMeant } from "./filesMeant";

it.each([
  ["/api/view?filename=a.png&subfolder=cats&type=temp", ["temp cats a.png"]],
  [
    "input/cats/a.png",
    ["input cats a.png", "output input/cats a.png", "temp input/cats a.png", "input input/cats a.png"],
  ],
  ["cats\\\\a.png", ["output cats a.png", "temp cats a.png", "input cats a.png"]],
  ["output", ["output  output", "temp  output", "input  output"]],
])("%s may mean %s", (reference, files) => {
  expect(
    filesMeant(reference).map(({ type, subfolder, filename }) => `${type} ${subfolder} ${filename}`),
  ).toEqual(files);
});
