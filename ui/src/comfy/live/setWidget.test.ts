import { expect, it } from "vitest";
import type { LiveNode, Page } from "./page";
import { setWidget } from "./setWidget";

/** A node that becomes as high as its value says, and what was drawn anew since. */
function growing() {
  const drawn: boolean[] = [];
  const size = [200, 50];
  const callback = (height: unknown) => {
    size[1] = Number(height);
  };
  const graph = { setDirtyCanvas: (_: boolean, links?: boolean) => drawn.push(links ?? false) };
  const node = { size, graph, widgets: [{ name: "height", type: "number", value: 50, callback }] };
  return { drawn, node: node as unknown as LiveNode, page: { app: { canvas: {} } } as unknown as Page };
}

it("has the links drawn anew where the node becomes larger by a value", () => {
  const { drawn, node, page } = growing();
  setWidget(page, node, "height", 50);
  expect(drawn).toEqual([]);
  setWidget(page, node, "height", 90);
  expect(drawn).toEqual([true]);
});
