import { expect, it } from "vitest";
import type { LiveNode } from "./page";
import { keepChanged } from "./savedAsLoaded";

const live = (more: object) =>
  ({ id: 7, type: "Gone", title: "new", mode: 4, pos: [1, 2], size: [3, 4], ...more }) as unknown as LiveNode;

it("has the page save what was changed of a node that it saves as it was loaded", () => {
  const loaded = { id: 7, mode: 0, title: "old", pos: [0, 0], color: "#322", widgets_values: [5] };
  const node = live({ last_serialization: loaded, bgcolor: "#111" });
  keepChanged(node);
  expect(node.last_serialization).toEqual({
    ...{ id: 7, mode: 4, title: "new", pos: [1, 2], widgets_values: [5] },
    bgcolor: "#111",
  });
  expect(loaded).toEqual({ id: 7, mode: 0, title: "old", pos: [0, 0], color: "#322", widgets_values: [5] });
});

it("leaves other nodes alone", () => {
  const node = live({});
  keepChanged(node);
  expect(node).toEqual(live({}));
});
