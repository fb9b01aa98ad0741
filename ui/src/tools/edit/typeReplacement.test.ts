import { expect, it } from "vitest";
import type { NodeDefinition, TypeReplacement } from "../../comfy/bridge";
import { createFakeComfy } from "../../comfy/fake";
import { fakeNodes } from "../../comfy/fakeNodes";
import { applyWorkflow } from "../applyWorkflow";
import { editWorkflow } from "../editWorkflow";
import { callsOn } from "../testing/testCall";
import { validateWorkflow } from "../validateWorkflow";

const choice = (name: string, ...choices: string[]) => ({
  ...{
    name,
    type: "COMBO",
    isOptional: false,
    widget: "choice" as const,
    choices,
    default: choices[0] ?? "",
  },
});

const resize: NodeDefinition = {
  ...{ type: "ResizeNode", title: "Resize", category: "", description: "", isOutput: false },
  inputs: [
    { name: "mask", type: "IMAGE", isOptional: true },
    { name: "input", type: "IMAGE", isOptional: false },
    choice("kind", "by size", "by a factor"),
    { name: "kind.factor", type: "FLOAT", isOptional: false, widget: "number", default: 1 },
    choice("method", "area", "lanczos"),
  ],
  outputs: [
    { name: "mask", type: "IMAGE" },
    { name: "resized", type: "IMAGE" },
  ],
};

const byFactor: TypeReplacement = {
  type: "ResizeNode",
  widgets: ["upscale_method", "scale_by"],
  names: new Map([
    ["image", "input"],
    ["scale_by", "kind.factor"],
    ["upscale_method", "method"],
  ]),
  values: [["kind", "by a factor"]],
  outputs: new Map([[0, 1]]),
};

function canvas() {
  const calls = callsOn(
    createFakeComfy({
      definitions: [...fakeNodes, resize],
      replacements: { ImageScaleBy: byFactor, ScaleNoMore: byFactor },
    }),
  );
  const apply = (workflow: string | object) =>
    calls.call(applyWorkflow, {
      workflow: typeof workflow === "string" ? workflow : JSON.stringify(workflow),
      allowMissing: true,
    });
  const replace = (type: string) =>
    calls.call(editWorkflow, { operations: [{ op: "replace", nodes: ["2"], type }] });
  return { ...calls, apply, replace, lines: () => calls.lines().toSorted() };
}

const replaced = [
  "1 EmptyImage",
  '2 ResizeNode input<1 kind="by a factor" kind.factor=1.5 method=lanczos',
  "3 SaveImage images<2.resized",
];

it("takes over what the server says becomes of an installed type's parts", async () => {
  const { apply, replace, lines } = canvas();
  await apply(
    "1 EmptyImage\n2 ImageScaleBy image<1 upscale_method=lanczos scale_by=1.5\n3 SaveImage images<2",
  );
  expect(await replace("ResizeNode")).toMatchObject({ ok: true });
  expect(lines()).toEqual(replaced);
});

it("does so of a type that is not installed, whose values are a list", async () => {
  const { apply, replace, lines } = canvas();
  const [image, save] = [
    {
      id: 1,
      type: "EmptyImage",
      outputs: [{ name: "IMAGE", type: "IMAGE", links: [1] }],
      widgets_values: [],
    },
    {
      id: 3,
      type: "SaveImage",
      inputs: [{ name: "images", type: "IMAGE", link: 2 }],
      widgets_values: ["ComfyUI"],
    },
  ];
  const gone = {
    ...{ id: 2, type: "ScaleNoMore", widgets_values: ["lanczos", 1.5] },
    inputs: [{ name: "image", type: "IMAGE", link: 1 }],
    outputs: [{ name: "IMAGE", type: "IMAGE", links: [2] }],
  };
  const links = [
    [1, 1, 0, 2, 0, "IMAGE"],
    [2, 2, 0, 3, 0, "IMAGE"],
  ];
  await apply({ version: 0.4, nodes: [image, gone, save], links });
  expect(await replace("ResizeNode")).toMatchObject({ ok: true });
  expect(lines().slice(1)).toEqual(replaced.slice(1));
});

it("goes by names and types alone for any other type", async () => {
  const { apply, replace, lines } = canvas();
  await apply("1 EmptyImage\n2 ImageScaleBy image<1 scale_by=1.5\n3 SaveImage images<2");
  expect(await replace("ImageInvert")).toMatchObject({ ok: true });
  expect(lines()[1]).toBe("2 ImageInvert image<1");
});

const gone = "1 EmptyImage\n2 ScaleNoMore image<1\n3 SaveImage images<2";
const why =
  'ResizeNode replaces it here (image → input, scale_by → kind.factor, upscale_method → method, kind="by a factor")';

it("a check tells what replaces a type that is not installed, and the call that does it", async () => {
  const { apply, call } = canvas();
  await apply(gone);
  expect(await call(validateWorkflow)).toMatchObject({
    data: {
      problems: [
        {
          problem: `The node type ScaleNoMore is not installed; ${why}.`,
          fix: expect.stringContaining('{"op":"replace","nodes":["2"],"type":"ResizeNode"}'),
        },
      ],
    },
  });
});

it("a workflow that is to be applied is refused with what replaces its types", async () => {
  expect(await canvas().call(applyWorkflow, { workflow: gone })).toMatchObject({
    ok: false,
    error: `Not installed, so nothing was changed: node type ScaleNoMore (node 2; ${why}).`,
    hint: expect.stringContaining("findMissing replaces them"),
  });
});
