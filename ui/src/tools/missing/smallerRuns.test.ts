import { expect, it } from "vitest";
import { testCalls } from "../testing/testCall";
import { smallerRuns, smallerRunWords } from "./smallerRuns";

function runsWith(inputs: Record<string, number>) {
  const { comfy } = testCalls(["EmptyLatentImage"]);
  return smallerRuns(comfy, {
    "1": { class_type: "EmptyLatentImage", inputs },
    "2": { class_type: "EmptyImage", inputs },
  });
}

it("offers one picture at once before it makes pictures smaller", () => {
  const runs = runsWith({ width: 1024, height: 1024, batch_size: 4 });
  expect(runs).toEqual([
    {
      node: "1 EmptyLatentImage",
      now: "1024 × 1024, 4 at once",
      smaller: "1 at once",
      settings: [{ node: "1", widget: "batch_size", value: 1 }],
    },
  ]);
  expect(smallerRunWords(runs)).toEqual([
    "What a run takes beside its files grows with pixels and pictures at once; less of it: 1 EmptyLatentImage: 1 at once instead of 1024 × 1024, 4 at once.",
  ]);
});

it("offers half the pixels in about the same proportions, and nothing below what models were made for", () => {
  const [run] = runsWith({ width: 1344, height: 768, batch_size: 1 });
  expect(run).toMatchObject({ now: "1344 × 768", smaller: "896 × 512" });
  expect(run?.settings.map(({ widget, value }) => `${widget} ${value}`)).toEqual(["width 896", "height 512"]);
  expect(runsWith({ width: 640, height: 640, batch_size: 1 })).toEqual([]);
});
