import { expect, it } from "vitest";
import { isNoneOf } from "./values";

it.each<[string, unknown, unknown, boolean]>([
  ["one of a list", ["a", "b"], "b", false],
  ["none of a list", ["a", "b"], "c", true],
  ["a number that a list has as text", ["1"], 1, true],
  ["a file of another folder than the list", ["a.png"], "b.png [output]", false],
  ["nothing, of a list that has it", [null, "a"], null, true],
  ["a key of an object", { a: 1 }, "a", false],
  ["no key of an object", { a: 1 }, "toString", true],
  ["anything where there is no list", undefined, "a", false],
])("tells whether it is none of the choices: %s", (_, choices, value, isNone) => {
  expect(isNoneOf(choices, value)).toBe(isNone);
});
