import { expect, it } from "vitest";
import { few, fewEntries } from "./few";

it("names the first and counts the others", () => {
  expect(few(["a", "b", "c"], 2)).toBe("a, b and 1 more");
  expect(few(["a", "b", "c"], 2, " or ")).toBe("a or b and 1 more");
  expect(few(["a", "b"], 2)).toBe("a, b");
  expect(few([], 2)).toBe("");
});

it("counts the others in an entry of their own", () => {
  expect(fewEntries(["a", "b", "c"], 1, "; ask for them")).toEqual(["a", "and 2 more; ask for them"]);
  expect(fewEntries(["a"], 1)).toEqual(["a"]);
});
