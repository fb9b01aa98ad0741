import { describe, expect, it } from "vitest";
import type { GraphWidget, Json } from "../../graph/graph";
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
const sampler = widget({ kind: "choice", value: "euler", choices: ["euler_ancestral", "dpmpp_2m"] });
const tint = widget({ kind: "color", value: "#000000" });
const curve = widget({ kind: "other", value: { points: [] } });

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

describe("a value is refused", () => {
  it.each<[string, GraphWidget, Json, string]>([
    ["a word for an integer", steps, "many", '"many" does not fit w; expected integer 1..100.'],
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

it("tells both corrected values of a sampler that was written with its scheduler", () => {
  expect(closestWords(["euler", "dpmpp_2m"], "dpm++ 2m karras", ["dpmpp_2m"])).toBe(
    "It is sampler_name dpmpp_2m, scheduler karras.",
  );
  expect(closestWords(["euler", "dpmpp_2m"], "eulr", ["euler"])).toBe("Closest: euler.");
});
