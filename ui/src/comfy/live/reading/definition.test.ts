import { describe, expect, it } from "vitest";
import { readDefinition } from "./definition";

const nodeData = {
  name: "KSampler",
  display_name: "KSampler",
  category: "sampling",
  description: "Denoises a latent.",
  output_node: false,
  inputs: {
    model: { type: "MODEL", name: "model", isOptional: false, tooltip: "The model." },
    seed: { type: "INT", name: "seed", isOptional: false, default: 0, min: 0, max: 18446744073709552000 },
    cfg: { type: "FLOAT", name: "cfg", isOptional: false, default: 8, min: 0, max: 100, step: 0.1 },
    sampler_name: { type: "COMBO", name: "sampler_name", isOptional: false, options: ["euler", "heun"] },
    text: { type: "STRING", name: "text", isOptional: true, multiline: true, forceInput: true },
    either: { type: "INT,FLOAT", name: "either", isOptional: true, min: "none" },
  },
  outputs: [{ index: 0, name: "LATENT", type: "LATENT", is_list: false }],
};

describe("ComfyUI's description of a node type", () => {
  it("is read with slots, widgets, choices and ranges", () => {
    expect(readDefinition("KSampler", "", nodeData)).toEqual({
      type: "KSampler",
      title: "KSampler",
      origin: "",
      category: "sampling",
      description: "Denoises a latent.",
      isOutput: false,
      inputs: [
        { name: "model", type: "MODEL", isOptional: false },
        {
          name: "seed",
          type: "INT",
          isOptional: false,
          widget: "integer",
          default: 0,
          min: 0,
          max: 18446744073709552000,
        },
        {
          name: "cfg",
          type: "FLOAT",
          isOptional: false,
          widget: "number",
          default: 8,
          min: 0,
          max: 100,
          step: 0.1,
        },
        {
          name: "sampler_name",
          type: "COMBO",
          isOptional: false,
          widget: "choice",
          choices: ["euler", "heun"],
        },
        { name: "text", type: "STRING", isOptional: true },
        { name: "either", type: "INT,FLOAT", isOptional: true },
      ],
      outputs: [{ name: "LATENT", type: "LATENT" }],
    });
  });

  it("takes the registered title where it has none of its own, as from 1.58 on", () => {
    const { display_name: _, description: __, ...rest } = nodeData;
    expect(readDefinition("SaveImage", "Save Image", rest)).toMatchObject({
      title: "Save Image",
      description: "",
    });
  });

  it("says where a type is deprecated", () => {
    expect(readDefinition("Old", "", { ...nodeData, deprecated: true })).toMatchObject({
      isDeprecated: true,
    });
  });

  it("is empty but there for types that only the frontend knows", () => {
    expect(readDefinition("Note", "Note", {})).toMatchObject({
      type: "Note",
      title: "Note",
      inputs: [],
      outputs: [],
    });
  });

  it("is read in the server's own form, which some packs register", () => {
    const asSent = {
      name: "Switch",
      category: "pack",
      input: {
        required: { mode: [["first", "last"], { default: "last" }], count: ["INT", { min: 1, max: 5 }] },
        optional: { image: ["IMAGE"], any_02: ["*", {}] },
        hidden: { unique_id: "UNIQUE_ID" },
      },
      output: ["IMAGE", ["first", "last"]],
      output_name: ["picture", null],
    };
    expect(readDefinition("Switch", "The Switch", asSent)).toEqual({
      type: "Switch",
      title: "The Switch",
      origin: "",
      category: "pack",
      description: "",
      isOutput: false,
      inputs: [
        {
          name: "mode",
          type: "COMBO",
          isOptional: false,
          widget: "choice",
          choices: ["first", "last"],
          default: "last",
        },
        { name: "count", type: "INT", isOptional: false, widget: "integer", min: 1, max: 5 },
        { name: "image", type: "IMAGE", isOptional: true },
        { name: "any_02", type: "*", isOptional: true },
      ],
      outputs: [
        { name: "picture", type: "IMAGE" },
        { name: "COMBO", type: "COMBO" },
      ],
    });
  });

  it.each([[undefined], [null], ["text"]])("is missing when it is %o", (data) => {
    expect(readDefinition("Note", "Note", data)).toBeUndefined();
  });
});
