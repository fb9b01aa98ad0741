import { describe, expect, it } from "vitest";
import type { Json } from "../../graph/graph";
import type { PromptNodes } from "../../graph/prompt";
import { definition, ofPackage, outputOfPackage, risksOf } from "../testing/risks";

const made = (class_type: string, inputs: Record<string, Json>): PromptNodes => ({
  "2": { class_type, inputs },
});
const given = (value: string) => made("PrimitiveString", { value });
const joined = (string_a: string, string_b: string) =>
  made("StringConcatenate", { string_a, string_b, delimiter: "" });
const replaced = (string: string, regex: string) => made("RegexReplace", { string, regex, replace: "" });

describe("a text that comes by a link counts like one that is written", () => {
  it.each<[string, string, PromptNodes]>([
    ["SaveText", "filename", given("../../custom_nodes/x.py")],
    ["SaveText", "filename", joined("custom_nodes/", "x.py")],
    ["SaveText", "filename", joined("cust", "om_nodes/x")],
    ["SaveText", "filename", joined(".", "./x")],
    ["SaveText", "filename", joined("output/", "../x")],
    ["SaveText", "filename", replaced("QQ/etc/passwd", "QQ")],
    [
      "SaveText",
      "filename",
      {
        ...joined("", ""),
        "2": { class_type: "StringConcatenate", inputs: { string_a: ["3", 0], string_b: "x" } },
        "3": { class_type: "PrimitiveString", inputs: { value: "/etc/" } },
      },
    ],
  ])("a path of %s.%s: %j", (type, input, linked) => {
    const risks = risksOf(definition(type, outputOfPackage), { [input]: ["2", 0] }, linked);
    expect(risks).toEqual(["writes outside the output folder"]);
  });

  it.each<[PromptNodes]>([
    [given("http://evil.test/x")],
    [joined("htt", "p://evil.test/x")],
    [replaced("x http://evil.test", "x ")],
  ])("an address: %j", (linked) => {
    const loader = definition("LoadVideo2", ofPackage);
    expect(risksOf(loader, { video: ["2", 0] }, linked)).toContain("uses the network");
    expect(risksOf(loader, { options: { video: ["2", 0] } }, linked)).toContain("uses the network");
  });

  it("also into a node of ComfyUI's own that names a folder", () => {
    const outside = given("../../custom_nodes/x");
    const save = definition("SaveTrainingDataset", { isOutput: true });
    expect(risksOf(save, { folder_name: ["2", 0] }, outside)).toEqual(["writes outside the output folder"]);
    const load = definition("LoadTrainingDataset");
    expect(risksOf(load, { folder_name: ["2", 0] }, outside)).toEqual(["reads outside ComfyUI's folders"]);
  });
});

describe("a text goes through inputs that take texts among others", () => {
  const withInput = (type: string, name: string, taken: string, more = {}) => ({
    ...definition(type, more),
    inputs: [{ name, type: taken, isOptional: false }],
  });

  it.each([
    "COMFY_MATCHTYPE_V3",
    "STRING,INT",
    "*,IMAGE",
    "string",
    "ANY",
    "LIST",
    "STRING_LIST",
    "FILE_PATH",
  ])("%s", (type) => {
    const nodes = {
      "2": { class_type: "Switch", inputs: { on_true: ["3", 0] as Json } },
      "3": { class_type: "PrimitiveString", inputs: { value: "../../custom_nodes/x.py" } },
    };
    const risks = risksOf(definition("SaveText", outputOfPackage), { filename: ["2", 0] }, nodes, [
      withInput("Switch", "on_true", type),
    ]);
    expect(risks).toEqual(["writes outside the output folder"]);
  });

  it("a list of choices, which ComfyUI holds no linked text against", () => {
    const load = withInput("LoadImage", "image", "COMBO");
    const outside = given("../../user/default/secret.png");
    expect(risksOf(load, { image: ["2", 0] }, outside)).toEqual(["reads outside ComfyUI's folders"]);
    expect(risksOf(load, { image: ["2", 0] }, given("cat.png"))).toEqual([]);
    const lora = withInput("LoraLoader", "lora_name", "COMBO", ofPackage);
    expect(risksOf(lora, { lora_name: ["2", 0] }, given("style.safetensors"))).toEqual([]);
  });

  it.each(["IMAGE", "MODEL", "CONDITIONING", "INT"])("no other, such as %s", (type) => {
    const nodes = {
      "2": { class_type: "Encode", inputs: { text: ["3", 0] as Json } },
      "3": { class_type: "PrimitiveString", inputs: { value: "../../custom_nodes/x.py" } },
    };
    const save = withInput("SaveAny", "filename", type, outputOfPackage);
    expect(risksOf(save, { filename: ["2", 0] }, nodes)).toEqual([]);
  });
});

it.each<[string, Record<string, unknown>, string, PromptNodes]>([
  ["PreviewAny", { isOutput: true }, "source", given("/imagine a cat")],
  [
    "ShowText",
    outputOfPackage,
    "text",
    made("RegexReplace", { string: "a cat", regex: String.raw`\d+`, replace: "/" }),
  ],
  [
    "SaveImagePlus",
    outputOfPackage,
    "filename_prefix",
    made("StringConcatenate", { string_a: "cats", string_b: "/img", delimiter: "/" }),
  ],
  ["Words", ofPackage, "text", given("a cat and/or a bird\n// by night\nsee what comes of it")],
])("an ordinary text of %s does not: %j", (type, more, input, linked) => {
  expect(risksOf(definition(type, more), { [input]: ["2", 0] }, linked)).toEqual([]);
});
