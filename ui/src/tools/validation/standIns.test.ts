import { expect, it } from "vitest";
import type { NodeDefinition } from "../../comfy/bridge";
import { createFakeComfy } from "../../comfy/fake";
import { applyWorkflow } from "../applyWorkflow";
import { callsOn } from "../testing/testCall";
import { installedIn } from "./canvas";
import { standIns } from "./standIns";

function node(type: string, takes: readonly string[], gives: readonly string[]): NodeDefinition {
  const inputs = takes.map((each) => ({ name: each.toLowerCase(), type: each, isOptional: false }));
  const outputs = gives.map((each) => ({ name: each, type: each }));
  return { type, title: type, category: "", description: "", isOutput: false, inputs, outputs };
}

const definitions = [
  node("LoadIt", [], ["IMAGE", "MASK"]),
  node("TakeIt", ["MASK"], []),
  node("SaveImage", ["IMAGE"], []),
  node("BlurImage", ["IMAGE"], ["IMAGE"]),
  node("ImageBlur", ["MASK"], ["MASK"]),
  { ...node("LoadAll", [], ["IMAGE", "MASK"]), isDeprecated: true },
  node("LoadAllOfIt", [], ["IMAGE", "MASK"]),
  { ...node("SketchImage", ["IMAGE"], ["IMAGE"]), isDeprecated: true },
  node("ImageSketch", ["MASK"], ["MASK"]),
];

async function namedFor(...lines: string[]): Promise<string[]> {
  const comfy = createFakeComfy({ definitions });
  const workflow = lines.join("\n");
  expect(await callsOn(comfy).call(applyWorkflow, { workflow, allowMissing: true })).toMatchObject({
    ok: true,
  });
  const missing = comfy.graph().nodes.find(({ isInstalled }) => !isInstalled);
  return standIns(missing?.id ?? "", missing?.type ?? "", installedIn(comfy));
}

it("the type of the same words is named in whatever order they stand", async () => {
  expect(await namedFor("1 LoadIt", "2 ImageSave image<1.IMAGE")).toEqual(["SaveImage"]);
});

it("a type that does not take what the node gets is left out where another one does", async () => {
  expect(await namedFor("1 LoadIt", "2 ImagesBlur image<1.IMAGE")).toEqual(["BlurImage"]);
  expect(await namedFor("1 LoadIt", "2 ImagesBlur mask<1.MASK", "3 TakeIt mask<2")).toEqual(["ImageBlur"]);
});

it("a deprecated type is named only where no other takes as much", async () => {
  expect(await namedFor("1 LoadAll|pack", "2 SaveImage image<1.IMAGE")).toEqual(["LoadAllOfIt"]);
  expect(await namedFor("1 LoadIt", "2 ImagesSketch image<1.IMAGE")).toEqual(["SketchImage"]);
});

it("names alone decide where nothing is linked", async () => {
  expect(await namedFor("1 ImagesBlur")).toEqual(["BlurImage", "ImageBlur"]);
});
