import { expect, it } from "vitest";
import { isObject, parseJson } from "./json";

it("takes neither a list nor null for an object", () => {
  expect([{}, [], null, "a", undefined].map(isObject)).toEqual([true, false, false, false, false]);
});

it("reads nothing in what is no JSON", () => {
  expect(parseJson('{"a": 1}')).toEqual({ a: 1 });
  expect(parseJson("null", "null")).toBeNull();
  expect(parseJson("{")).toBeUndefined();
  expect(parseJson("{", "as it is")).toBe("as it is");
});
