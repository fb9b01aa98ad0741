import { expect, it } from "vitest";
import { objectMeant, partNamed } from "./objectParts";

const lora = { on: true, lora: "a.safetensors", strength: 1 };

it.each([
  ["lora_3", "b.safetensors", { lora: "b.safetensors" }],
  ["lora_3", { lora: "b.safetensors" }, { lora: "b.safetensors" }],
  ["lora_name", "b.safetensors", "b.safetensors"],
  ["strength_3", 0.4, 0.4],
])("what %s of %j would hold", (name, value, expected) => {
  expect(objectMeant(name, value)).toEqual(expected);
});

it.each([
  ["strength_2", { name: "lora_2", part: "strength" }],
  ["lora_2.on", { name: "lora_2", part: "on" }],
  ["lora_1_strength", { name: "lora_1", part: "strength" }],
  ["strength_3", undefined],
  ["strength_model_2", undefined],
  ["text_2", undefined],
])("the widget and the part that are meant by %s", (written, expected) => {
  const widgets = [
    { name: "lora_1", value: lora },
    { name: "lora_2", value: lora },
    { name: "text", value: "strength" },
  ];
  const found = partNamed(widgets, written);
  expect(found && { name: found.widget.name, part: found.part }).toEqual(expected);
});
