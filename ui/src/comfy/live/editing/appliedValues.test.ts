import { expect, it } from "vitest";
import type { LiveGraph } from "../page";
import { noteAppliedValues } from "./appliedValues";

it("A widget that a primitive feeds holds what it held before a prompt was made", () => {
  const fed = { name: "crf", value: 60 };
  const other = { name: "rate", value: 8 };
  const graph = {
    nodes: [
      { id: 1, outputs: [{ name: "INT", type: "INT", links: [7] }], applyToGraph() {} },
      {
        id: 2,
        inputs: [{ name: "crf", type: "INT", link: 7, widget: { name: "crf" } }],
        widgets: [fed, other],
      },
    ],
    getLink: () => ({ origin_id: 1, origin_slot: 0, target_id: 2, target_slot: 0 }),
  } as unknown as LiveGraph;
  const putBack = noteAppliedValues([graph]);
  fed.value = 8;
  other.value = 9;
  putBack();
  expect([fed.value, other.value]).toEqual([60, 9]);
});
