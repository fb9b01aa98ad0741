import { expect, it } from "vitest";
import type { Page } from "../page";
import { createReplacements, readReplacements } from "./replacements";

const list = {
  ScaleBy: [
    {
      new_node_id: "Resize",
      old_node_id: "ScaleBy",
      old_widget_ids: ["method", "by"],
      input_mapping: [
        { new_id: "input", old_id: "image" },
        { new_id: "kind", set_value: "by a factor" },
        { new_id: "kind.factor", old_id: "by" },
      ],
      output_mapping: [{ new_idx: 1, old_idx: 0 }],
    },
  ],
  Plain: [
    {
      new_node_id: "Other",
      old_node_id: "Plain",
      old_widget_ids: null,
      input_mapping: null,
      output_mapping: null,
    },
  ],
  Odd: [{ new_node_id: 3 }, "x", { new_node_id: "Good" }],
  Wrong: "x",
};

it("reads what becomes of a type's inputs, widgets and outputs, and passes over what cannot be read", () => {
  const read = readReplacements(list);
  expect(read.get("ScaleBy")).toEqual([
    {
      type: "Resize",
      widgets: ["method", "by"],
      names: new Map([
        ["image", "input"],
        ["by", "kind.factor"],
      ]),
      values: [["kind", "by a factor"]],
      outputs: new Map([[0, 1]]),
    },
  ]);
  expect(read.get("Plain")).toEqual([{ type: "Other", names: new Map(), values: [], outputs: new Map() }]);
  expect(read.get("Odd")?.map(({ type }) => type)).toEqual(["Good"]);
  expect(read.get("Wrong")).toEqual([]);
  expect(readReplacements("x").size).toBe(0);
});

it.each([
  [200, true, 1],
  [500, true, 2],
  [404, false, 0],
])(
  "asks a server that has such a list once, and again where it did not answer: %s",
  async (status, has, asked) => {
    const routes: string[] = [];
    const fetchApi = async (route: string) => {
      routes.push(route);
      return new Response(JSON.stringify(list), { status });
    };
    const { learn, of } = createReplacements(
      {
        api: { fetchApi, serverSupportsFeature: (name: string) => has && name === "node_replacements" },
      } as unknown as Page,
      (type) => type !== "Other",
    );
    await learn();
    await learn();
    expect(routes).toEqual(Array.from({ length: asked }, () => "/node_replacements"));
    expect(of("ScaleBy")?.type).toBe(status === 200 ? "Resize" : undefined);
    expect(of("Plain")).toBeUndefined();
  },
);
