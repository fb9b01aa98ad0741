import { describe, expect, it } from "vitest";
import { acceptsType } from "./slotTypes";

describe("an input accepts an output", () => {
  it.each([
    ["of the same type", "IMAGE", "IMAGE", true],
    ["but not of another type", "IMAGE", "LATENT", false],
    ["of the same type in other letter case", "Image", "IMAGE", true],
    ["of any type when it is a wildcard", "*", "LATENT", true],
    ["that is a wildcard itself", "IMAGE", "*", true],
    ["of any type when it has no type", "", "MASK", true],
    ["of one part of its union", "INT,FLOAT", "FLOAT", true],
    ["whose union shares a part with it", "FLOAT, BOOLEAN", "INT,FLOAT", true],
    ["but not of a type outside its union", "INT,FLOAT", "STRING", false],
    ["but no text where a choice is due", "COMBO", "STRING", false],
    ["but no type that merely begins alike", "IMAGE", "IMAGE_BATCH", false],
  ])("%s", (_, input, output, expected) => {
    expect(acceptsType(input, output)).toBe(expected);
  });
});
