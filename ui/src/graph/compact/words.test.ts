import { describe, expect, it } from "vitest";
import type { Json } from "../graph";
import { LineReader, nameWord, valueWord } from "./words";

describe("a value", () => {
  it.each<[string, Json, string]>([
    ["that is one plain word stays as it is", "euler", "euler"],
    [
      "that is a file in a folder stays as it is",
      "SDXL\\sd_xl-1.0.safetensors",
      "SDXL\\sd_xl-1.0.safetensors",
    ],
    ["of other letters stays as it is", "猫", "猫"],
    ["with spaces is quoted", "a cat", '"a cat"'],
    ["with breaks stays on its line", "a\nb", '"a\\nb"'],
    ["that is empty text is quoted", "", '""'],
    ["that looks like a number is quoted", "20", '"20"'],
    ["that looks like a number in another notation is quoted", "0x1F", '"0x1F"'],
    ["that looks like a truth value is quoted", "true", '"true"'],
    ["with brackets is quoted", "a(1)", '"a(1)"'],
    ["with the sign of a cut is quoted", "a…", '"a…"'],
    ["that is a number is no text", 0.25, "0.25"],
    ["that is nothing is no text", null, "null"],
    ["that is a list is JSON", [1, "a ]", { b: [] }], '[1,"a ]",{"b":[]}]'],
  ])("%s", (_, value, word) => {
    expect(valueWord(value)).toBe(word);
    expect(new LineReader(`${word} next`, 1).value()).toEqual(value);
  });
});

describe("a name", () => {
  it.each([
    ["KSampler", "KSampler"],
    ["Epsilon Scaling", '"Epsilon Scaling"'],
    ["SDXL/loader", "SDXL/loader"],
    ["a.b", "a.b"],
    ["a.b", "a.b"],
    ["a.b", "a.b"],
    ["", '""'],
  ])("%j is written so that its end is clear", (name, word) => {
    expect(nameWord(name)).toBe(word);
    expect(new LineReader(`${word}<4`, 1).name("<=")).toBe(name);
  });
});

describe("a line that cannot be read", () => {
  it.each([
    ["an open quotation mark", '"a cat', "Line 7: the quotation mark before a cat is never closed"],
    ["broken JSON", "[1,]", "Line 7: [1,] is no JSON"],
  ])("with %s says so", (_, text, message) => {
    expect(() => new LineReader(text, 7).value()).toThrow(message);
  });
});
