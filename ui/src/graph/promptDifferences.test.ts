import { describe, expect, it } from "vitest";
import type { PromptNodes } from "./prompt";
import { differenceWords, promptDifferences } from "./promptDifferences";

const before: PromptNodes = {
  "1": { class_type: "Load", inputs: { frames: 16, name: "a" } },
  "2": { class_type: "Invert", inputs: { image: ["1", 0] } },
  "3": { class_type: "Save", inputs: {} },
};

describe("two prompts", () => {
  it.each<[string, PromptNodes, string[]]>([
    ["that are equal", structuredClone(before), []],
    [
      "of which one says that it has no value",
      { ...before, "3": { class_type: "Save", inputs: { file: null } } },
      [],
    ],
    [
      "with other values, links and nodes",
      {
        "1": { class_type: "Load", inputs: { frames: 0, name: "a" } },
        "2": { class_type: "Invert", inputs: {} },
        "4:5": { class_type: "Save", inputs: {} },
      },
      ["1.frames: 16 → 0", "2.image: 1.0 → nothing", "3 Save → not run", "4:5 Save is run"],
    ],
    ["with another type", { ...before, "3": { class_type: "Show", inputs: {} } }, ["3 Save → Show"]],
  ])("%s", (_, after, words) => {
    expect(promptDifferences(before, after).map(differenceWords)).toEqual(words);
  });
});
