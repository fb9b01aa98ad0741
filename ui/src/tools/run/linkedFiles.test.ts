import { expect, it } from "vitest";
import { createFakeComfy } from "../../comfy/fake";
import type { Json } from "../../graph/graph";
import { definition, ofPackage, outputOfPackage } from "../testing/risks";
import { linkedFiles } from "./linkedFiles";
import { riskyNodes } from "./riskyNodes";

const definitions = [
  definition("LoadImage"),
  definition("SaveImage", { isOutput: true }),
  definition("CLIPTextEncode"),
  definition("PrimitiveString"),
  definition("Helper", ofPackage),
  definition("SaveThing", outputOfPackage),
];
const comfy = createFakeComfy({ definitions, links: ["link", "input/link", "a.png"] });

async function risksOf(class_type: string, inputs: Record<string, Json>) {
  const prompts = [
    { "1": { class_type, inputs }, "2": { class_type: "PrimitiveString", inputs: { value: "link/b" } } },
  ];
  return riskyNodes(comfy, prompts, await linkedFiles(comfy, prompts)).map(({ risk, cause }) => [
    risk,
    cause,
  ]);
}

const reads = "reads outside ComfyUI's folders";

it.each<[string, Record<string, Json>, string]>([
  ["LoadImage", { image: "link/secret.png" }, reads],
  ["LoadImage", { image: "a.png" }, reads],
  ["LoadImage", { image: ["2", 0] }, reads],
  ["Helper", { a: "link/secret.txt" }, reads],
  ["Helper", { a: "link%2fsecret.txt" }, reads],
  ["Helper", { files: ["b.png", "link/c"] }, reads],
  ["Helper", { a: '"./link/b"' }, reads],
  ["SaveThing", { a: "input/link/b" }, "writes outside the output folder"],
])("a file that a link leads elsewhere is asked about: %s %j", async (type, inputs, risk) => {
  const [[input, value] = []] = Object.entries(inputs);
  const told = Array.isArray(value) && value.length === 2 && value[0] !== "2" ? "link/c" : value;
  expect(await risksOf(type, inputs)).toEqual([[risk, { input, value: told }]]);
});

it.each<[string, Record<string, Json>]>([
  ["LoadImage", { image: "b.png", upload: "image" }],
  ["CLIPTextEncode", { text: "link/b" }],
  ["SaveImage", { filename_prefix: "link/b" }],
  ["Helper", { a: "linked/b", b: "a link/b" }],
])("any other is not: %s %j", async (type, inputs) => {
  expect(await risksOf(type, inputs)).toEqual([]);
});

it("nothing is asked of the server where no name of a file is given", async () => {
  const silent = { ...comfy, linkedOut: () => Promise.reject(new Error("asked")) };
  const prompt = { "1": { class_type: "CLIPTextEncode", inputs: { text: "a cat" } } };
  expect(await linkedFiles(silent, [prompt])).toEqual(new Set());
});
