import { describe, expect, it } from "vitest";
import type { GraphWidget, Json } from "../../graph/graph";
import { definition } from "../testing/risks";
import { closestWords, widgetValue } from "./widgetValue";

const widget = (more: Partial<GraphWidget>): GraphWidget => ({ name: "w", kind: "text", value: "", ...more });

const steps = widget({ kind: "integer", value: 20, min: 1, max: 100 });
const strength = widget({ kind: "number", value: 1, min: 0, max: 2, step: 0.01 });
const flag = widget({ kind: "boolean", value: false });
const model = widget({
  kind: "choice",
  value: "a.ckpt",
  choices: ["sd15/base.safetensors", "XL\\base_xl.safetensors"],
});
const stored = widget({ kind: "choice", value: "", choices: ["a.png [output]", "b.png", "b.png [output]"] });
const sampler = widget({ kind: "choice", value: "euler", choices: ["euler_ancestral", "dpmpp_2m"] });
const tint = widget({ kind: "color", value: "#000000" });
const curve = widget({ kind: "other", value: { points: [] } });

it("is sure of no choice that is still to come, and names the type whose choices are wanted", () => {
  const place = { type: "LoadImageOutput", definitionOf: () => undefined };
  expect(() => widgetValue(widget({ kind: "choice", awaitsChoices: true }), "a.png", place)).toThrow(
    expect.objectContaining({ choicesOf: ["LoadImageOutput"] }),
  );
});

describe("a value fits", () => {
  it.each<[string, GraphWidget, Json, Json]>([
    ["an integer as it is", steps, 30, 30],
    ["an integer written as text", steps, " 30 ", 30],
    ["an integer written with a decimal point", steps, "30.0", 30],
    ["a color as integer", widget({ kind: "integer", value: 0, min: 0, max: 16777215 }), "#ff0000", 16711680],
    ["a hexadecimal integer", widget({ kind: "integer", value: 0 }), "0xFF0000", 16711680],
    ["a negative number", widget({ kind: "number", value: 0, min: -5 }), "-1.5e0", -1.5],
    ["a fraction", strength, ".25", 0.25],
    ["the ends of the range", strength, "2", 2],
    ["true", flag, true, true],
    ["true as a word", flag, "True", true],
    ["yes", flag, "yes", true],
    ["off", flag, "off", false],
    ["zero for false", flag, 0, false],
    ["text as it is, spaces included", widget({}), " a red box ", " a red box "],
    ["a number as text", widget({}), 7, "7"],
    ["a choice", model, "sd15/base.safetensors", "sd15/base.safetensors"],
    ["a choice in other letter case", model, "SD15/Base.safetensors", "sd15/base.safetensors"],
    ["a choice by its file name", model, "base_xl.safetensors", "XL\\base_xl.safetensors"],
    ["a choice by its file name without what it ends on", model, "Base_XL", "XL\\base_xl.safetensors"],
    ["a choice that names its folder, without that", stored, "a.png", "a.png [output]"],
    ["a choice before one that names its folder", stored, "b.png", "b.png"],
    ["a sampler as people write it", sampler, "Euler a", "euler_ancestral"],
    ["a choice among numbers", widget({ kind: "choice", value: 1, choices: [1, 2, 4] }), "4", 4],
    ["any choice where the list is unknown", widget({ kind: "choice", value: "" }), "new", "new"],
    ["a color", tint, "#FF8000", "#ff8000"],
    ["a color as number", tint, 255, "#0000ff"],
    ["JSON where the widget holds an object", curve, '{"points": [1]}', { points: [1] }],
    ["an object where the widget holds one", curve, { points: [2] }, { points: [2] }],
  ])("%s", (_, into, written, expected) => {
    expect(widgetValue(into, written)).toEqual(expected);
  });
});

describe("a LoRA of a list", () => {
  const pixel = "styles/pixel.safetensors";
  const files = [pixel, "grain.pt"];
  const place = {
    definitionOf: (type: string) => ({
      ...definition(type),
      inputs: [{ name: "lora_name", type: "COMBO", isOptional: false, choices: files }],
    }),
  };
  const present = { on: true, lora: "gone.safetensors", strength: 1, strengthTwo: null };
  const line = widget({ name: "lora_2", kind: "other", value: present });

  it.each<[string, Json, Json]>([
    ["switched off", false, { on: false }],
    ["switched off in words", "false", { on: false }],
    ["given a strength", 0.4, { strength: 0.4 }],
    ["given a file", "pixel", { lora: pixel }],
    ["given a file that is spelled otherwise", { lora: "Pixel", strength: 2 }, { lora: pixel, strength: 2 }],
    ["given no file", { lora: "None" }, { lora: "None" }],
    ["left with a file that is not there", { strength: 2 }, { strength: 2 }],
  ])("is %s", (_, written, changed) => {
    expect(widgetValue(line, written, place)).toEqual({ ...present, ...(changed as object) });
  });

  it.each<[string, Json, string, object]>([
    ["is not there", { lora: "pixl.safetensors" }, "Closest: styles/pixel.safetensors.", { lora: pixel }],
    [
      "is not there, beside a strength",
      { lora: "pixl.safetensors", strength: 2 },
      "Closest: styles/pixel.safetensors.",
      { lora: pixel, strength: 2 },
    ],
  ])("is refused where its file %s", (_, written, hint, value) => {
    const refused = attempted(() => widgetValue(line, written, place));
    expect(refused).toMatchObject({
      message: '"pixl.safetensors" is not one of the 2 choices of lora of lora_2.',
      hint,
      choicesOf: ["LoraLoader"],
      fitting: { widget: "lora_2", value },
    });
  });

  it("takes no number where two strengths could be meant", () => {
    const both = { ...line, value: { ...present, strengthTwo: 1 } };
    expect(() => widgetValue(both, 0.4, place)).toThrow("0.4 does not fit lora_2");
  });
});

function attempted(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("a value is refused", () => {
  it.each<[string, GraphWidget, Json, string]>([
    ["a word for an integer", steps, "many", '"many" does not fit w; expected integer 1..100.'],
    ["a share for a number", strength, "80%", '"80%" does not fit w; expected number 0..2 step 0.01.'],
    ["a fraction for an integer", steps, 2.5, "2.5 does not fit w; expected integer 1..100."],
    ["a number above the range", steps, 101, "101 does not fit w; expected integer 1..100."],
    ["a number below the range", strength, "-0.1", '"-0.1" does not fit w; expected number 0..2 step 0.01.'],
    ["true for a number", strength, true, "true does not fit w; expected number 0..2 step 0.01."],
    ["an empty text for a number", strength, "", '"" does not fit w; expected number 0..2 step 0.01.'],
    ["infinity", strength, "Infinity", '"Infinity" does not fit w; expected number 0..2 step 0.01.'],
    ["a word that is neither yes nor no", flag, "maybe", '"maybe" does not fit w; expected boolean.'],
    ["a text that is only shown", widget({ isShown: true }), "a", "w only shows a text"],
    ["nothing for text", widget({}), null, "null does not fit w; expected text."],
    ["an object for text", widget({}), { a: 1 }, '{"a":1} does not fit w; expected text.'],
    [
      "a choice that is not there",
      model,
      "flux.safetensors",
      '"flux.safetensors" is not one of the 2 choices of w.',
    ],
    [
      "a sampler with a scheduler, where each has its own node",
      sampler,
      "DPM++ 2M Karras",
      '"DPM++ 2M Karras" is not one of the 2 choices of w.',
    ],
    [
      "any choice where nothing is installed",
      widget({ kind: "choice", value: null, choices: [] }),
      "a.ckpt",
      "w has nothing to choose from: ComfyUI lists no file for it.",
    ],
    ["a color out of range", tint, 16777216, "16777216 does not fit w; expected a color such as #ff0000."],
    [
      "broken JSON for an object",
      curve,
      "{points",
      '"{points" does not fit w; expected JSON of the same shape as its present value, {"points":[]}.',
    ],
    ["a part that an object does not have", curve, { point: [] }, '{"point":[]} does not fit w'],
    ["a part of another kind", curve, { points: 3 }, '{"points":3} does not fit w'],
  ])("%s", (_, into, written, message) => {
    expect(() => widgetValue(into, written)).toThrow(message);
  });

  it("when two files differ by what they end on alone", () => {
    const both = widget({ kind: "choice", value: "", choices: ["a.pt", "a.safetensors"] });
    expect(() => widgetValue(both, "a")).toThrow("not one of the 2 choices");
  });

  it("when two files of that name lie in different folders", () => {
    const twice = widget({ kind: "choice", value: "", choices: ["a/x.pt", "b/x.pt"] });
    expect(() => widgetValue(twice, "x.pt")).toThrow("not one of the 2 choices");
  });
});

it.each<[string, number | undefined]>([
  ["0,8", 0.8],
  ["1,25", 1.25],
  ["1,000", undefined],
])("for a number that was written as %j it offers %j", (written, value) => {
  const fitting = value === undefined ? {} : { widget: "w", value };
  expect(attempted(() => widgetValue(strength, written))).toMatchObject({ fitting });
});

it("tells both corrected values of a sampler that was written with its scheduler", () => {
  expect(closestWords(["euler", "dpmpp_2m"], "dpm++ 2m karras", ["dpmpp_2m"])).toBe(
    "It is sampler_name dpmpp_2m, scheduler karras.",
  );
  expect(closestWords(["euler", "dpmpp_2m"], "eulr", ["euler"])).toBe("Closest: euler.");
});

it.each([
  ["lanczos", { widget: "w", value: "lanczos" }],
  ["wan.safetensors", {}],
])("where only %s can be chosen, it is offered unless it is a file", (only, fitting) => {
  const choice = widget({ kind: "choice", value: only, choices: [only] });
  expect(() => widgetValue(choice, "quite.another")).toThrow(expect.objectContaining({ fitting }));
});
