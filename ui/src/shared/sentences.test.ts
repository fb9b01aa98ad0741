import { expect, it } from "vitest";
import { sentences } from "./sentences";

it("puts those that are there one after the other", () => {
  expect(sentences("It is there.", undefined, "", "It is red.")).toBe("It is there. It is red.");
  expect(sentences(undefined)).toBe("");
});
