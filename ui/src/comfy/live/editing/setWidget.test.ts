import { expect, it } from "vitest";
import type { LiveNode, Page } from "../page";
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

/** A node with a widget for each object that it saves, which goes on counting where it loads others. */
function stack(...values: object[]) {
  let count = 0;
  const widgets: { name: string; type: string; value: unknown }[] = [];
  const configure = ({ widgets_values = [] as unknown[] }) =>
    widgets.splice(
      0,
      widgets.length,
      ...widgets_values.map((value) => ({ name: `part_${++count}`, type: "part", value })),
    );
  const node = {
    ...{ size: [200, 50], constructor: {}, widgets, configure },
    serialize: () => ({ widgets_values: widgets.map(({ value }) => value) }),
  };
  configure({ widgets_values: values });
  return { node: node as unknown as LiveNode, widgets };
}

it("adds a widget for an object and leaves the others their names, also where the node counts on", () => {
  const { node, widgets } = stack({ file: "a" }, { file: "b" });
  const { page } = growing();
  setWidget(page, node, "part_3", { file: "c" });
  setWidget(page, node, "part_4", { file: "c" });
  expect(Object.fromEntries(widgets.map(({ name, value }) => [name, value]))).toEqual({
    part_1: { file: "a" },
    part_2: { file: "b" },
    part_3: { file: "c" },
    part_4: { file: "c" },
  });
});
