import { expect, it } from "vitest";
import type { Comfy } from "../../comfy/bridge";
import { createFakeComfy } from "../../comfy/fake";
import type { Json } from "../../graph/graph";
import { createTypesWithObjects, objectTaken } from "./objectsTaken";

const fresh = { on: true, lora: "None", strength: 1 };
const port = { type: "MODEL", isOptional: true };

/** A stack whose page script makes a widget of each `lora_…`, a loader with an input for its LoRA, and one that applies. */
function comfyWithStack() {
  const plain = { category: "", description: "", isOutput: false, outputs: [] };
  const tried: string[] = [];
  const fake = createFakeComfy({
    definitions: [
      { ...plain, type: "LoraStack", title: "Stack", inputs: [{ name: "model", ...port }] },
      { ...plain, type: "ApplyLoras", title: "Apply", inputs: [{ name: "stack", ...port }] },
      { ...plain, type: "LoraLoader", title: "Load", inputs: [{ name: "lora_name", ...port }] },
      { ...plain, type: "KSampler", title: "Sample", inputs: [{ name: "model", ...port }] },
    ],
  });
  const comfy: Comfy = {
    ...fake,
    blankNode(type, values = []) {
      tried.push(type);
      const node = fake.blankNode(type);
      const loras = values.filter(([name]) => /^lora_\d+$/.test(name));
      const widgets = loras.map(([name, value]) => ({
        name,
        kind: "other" as const,
        value: { ...fresh, ...(value as { [part: string]: Json }) },
      }));
      return node && type === "LoraStack" ? { ...node, widgets } : node;
    },
  };
  return { comfy, tried };
}

it("the next object of a node follows those that it has", () => {
  const { comfy } = comfyWithStack();
  expect(objectTaken(comfy, "LoraStack")).toEqual({ name: "lora_1", value: fresh });
  expect(objectTaken(comfy, "LoraStack", [["lora_1", fresh]])?.name).toBe("lora_2");
  expect(objectTaken(comfy, "KSampler")).toBeUndefined();
});

it("the types that take objects are found among those called after them, and tried once", () => {
  const { comfy, tried } = comfyWithStack();
  const types = createTypesWithObjects(comfy);
  const stack = { name: "LoraStack", objects: { lora_1: fresh }, files: { lora: "LoraLoader.lora_name" } };
  expect([types(), types()]).toEqual([[stack], [stack]]);
  expect(tried).toEqual(["LoraStack", "ApplyLoras"]);
});
