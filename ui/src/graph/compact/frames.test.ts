import { describe, expect, it } from "vitest";
import type { Json } from "../graph";
import type { NodeShape } from "../nodeShape";
import type { UiNode, UiWorkflow } from "../uiWorkflow";
import { buildWorkflow } from "./build";
import { parseCompact } from "./parse";
import { readWorkflow } from "./read";
import { writeCompact } from "./write";

const film: NodeShape = {
  type: "Film",
  title: "Film",
  inputs: [],
  outputs: [],
  widgets: [
    { name: "rate", value: 8 },
    { name: "format", value: "gif" },
    { name: "preview", value: {}, isDecor: true },
  ],
  savesByName: true,
  size: { width: 200, height: 100 },
};
const handIn: NodeShape = {
  ...film,
  type: "HandIn",
  inputs: [{ name: "*", type: "*", isWidget: false, isOptional: true }],
  widgets: [],
  savesByName: false,
};
const image: NodeShape = {
  ...handIn,
  type: "Image",
  inputs: [],
  outputs: [{ name: "IMAGE", type: "IMAGE" }],
};
const invert: NodeShape = {
  ...image,
  type: "Invert",
  inputs: [{ name: "image", type: "IMAGE", isWidget: false, isOptional: false }],
};
const shapeOf = (type: string) => [film, handIn, image, invert].find((shape) => shape.type === type);

function built(text: string): UiWorkflow {
  return buildWorkflow(parseCompact(text), { shapeOf, newUuid: () => "" }) as unknown as UiWorkflow;
}

function node(text: string, id: number): UiNode {
  return built(text).nodes.find((each) => each.id === id) as UiNode;
}

describe("a node that is built", () => {
  it.each<[string, string, Json]>([
    ["saves by name where its type does", "1 Film rate=9", { rate: 9, format: "gif", preview: {} }],
    [
      "with values that others bring forth",
      "1 Film format=h264 crf=12",
      { rate: 8, format: "h264", preview: {}, crf: 12 },
    ],
    [
      "with what a primitive gives",
      "1 Film rate<2\n2 PrimitiveNode value=30",
      { rate: 30, format: "gif", preview: {} },
    ],
    ["saves by place where its type is not installed and places are told", "1 Gone #0=3 #1=a", [3, "a"]],
    ["saves by name where its type is not installed and names are told", "1 Gone frames=3", { frames: 3 }],
  ])("%s", (_, text, values) => {
    expect(node(text, 1).widgets_values).toEqual(values);
  });

  it("has one slot where the only one takes anything and is called by what comes in", () => {
    expect(node("1 Image\n2 HandIn IMAGE<1", 2).inputs).toEqual([
      { name: "IMAGE", type: "IMAGE", shape: 7, link: 1 },
    ]);
  });
});

describe("an output of a type that is not installed", () => {
  const workflow: UiWorkflow = {
    nodes: [
      { id: 1, type: "Gone", outputs: [{ name: "mask" }, { name: "image", links: [1] }] },
      { id: 2, type: "Invert", inputs: [{ name: "image", link: 1 }] },
    ],
    links: [[1, 1, 1, 2, 0, "IMAGE"]],
  };

  it("is told by name and place", () => {
    const text = writeCompact(readWorkflow({ workflow, widgets: () => undefined }, shapeOf));
    expect(text).toContain("2 Invert image<1.image#1");
  });

  it("keeps its place, and takes the type of what it feeds", () => {
    const { links, nodes } = built("1 Gone\n2 Invert image<1.image#1");
    expect(links).toEqual([[1, 1, 1, 2, 0, "IMAGE"]]);
    expect(nodes[0]?.outputs?.map(({ name, type }) => [name, type])).toEqual([
      ["#0", "*"],
      ["image", "IMAGE"],
    ]);
  });

  it("is found by its name once the type is there with another order", () => {
    expect(built("1 Image\n2 Invert image<1.image#1").links).toEqual([[1, 1, 0, 2, 0, "IMAGE"]]);
  });
});
