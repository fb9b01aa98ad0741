import { expect, it } from "vitest";
import { recogniseJson } from "../../graph/recognise";
import { replaceNames } from "./replaceNames";

it("Names are replaced in values of every shape, and links are none", () => {
  const nodes = [
    { id: 1, type: "Loaders", widgets_values: [{ on: true, lora: "a.pt" }, "a.pt"] },
    { id: 2, type: "Film", widgets_values: { format: "a.pt", preview: { params: { file: "a.pt" } } } },
  ];
  const { given, counts } = replaceNames(recogniseJson({ nodes, links: [], version: 0.4 }), {
    "a.pt": "b.pt",
  });
  expect(given).toMatchObject({
    workflow: {
      nodes: [
        { widgets_values: [{ on: true, lora: "b.pt" }, "b.pt"] },
        { widgets_values: { format: "b.pt", preview: { params: { file: "b.pt" } } } },
      ],
    },
  });
  expect(counts.get("a.pt")).toBe(4);

  const prompt = { "4": { class_type: "Loaders", inputs: { one: { lora: "4" }, image: ["4", 0] } } };
  expect(replaceNames({ form: "api", prompt }, { "4": "5" }).given).toMatchObject({
    prompt: { "4": { inputs: { one: { lora: "5" }, image: ["4", 0] } } },
  });
});

it("Values that a newer page saves by name, too, are replaced with them and counted once", () => {
  const nodes = [
    {
      id: 1,
      type: "Loader",
      widgets_values: ["a.pt", "other"],
      widgets_values_named: { file: "a.pt", device: "other" },
      extensions: { "pack.notes": { file: "kept" } },
    },
    { id: 2, type: "Loader", widgets_values_named: { file: "a.pt" } },
  ];
  const { given, counts } = replaceNames(recogniseJson({ nodes, links: [], version: 0.4 }), {
    "a.pt": "b.pt",
  });
  expect(given).toMatchObject({
    workflow: {
      nodes: [
        {
          widgets_values: ["b.pt", "other"],
          widgets_values_named: { file: "b.pt", device: "other" },
          extensions: { "pack.notes": { file: "kept" } },
        },
        { widgets_values_named: { file: "b.pt" } },
      ],
    },
  });
  expect(counts.get("a.pt")).toBe(2);
});
