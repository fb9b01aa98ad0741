import { describe, expect, it } from "vitest";
import { describeChanges } from "./changes";
import { parseCompact } from "./parse";

const before = `3 KSampler model<4 positive<6 steps=20 seed=1
4 CheckpointLoaderSimple ckpt_name=a.safetensors
6 CLIPTextEncode "Prompt" clip<4 text="a cat"
7 S1 image<3 ^9.seed
group "All": 3 4
subgraph S1 "Inner" in(image) out(IMAGE<9)
9 Invert image<input
end`;

describe("what changed", () => {
  it.each<[string, (text: string) => string, string[]]>([
    ["is nothing when nothing did", (text) => text, []],
    ["is a node that came", (text) => `5 SaveImage images<7\n${text}`, ["+ 5 SaveImage images<7"]],
    [
      "is a node that went",
      (text) => text.replace(/^4.*\n/, "").replace(/\n4 .*\n/, "\n"),
      ["- 4 CheckpointLoaderSimple"],
    ],
    ["is a value", (text) => text.replace("steps=20", "steps=30"), ["~ 3 KSampler steps=20→30"]],
    [
      "is a value that went back to the default",
      (text) => text.replace(" steps=20", ""),
      ["~ 3 KSampler steps=default"],
    ],
    [
      "is a value that was the default",
      (text) => text.replace("seed=1", "seed=1 cfg=7"),
      ["~ 3 KSampler cfg=7"],
    ],
    ["is a link", (text) => text.replace("positive<6", "positive<9.B"), ["~ 3 KSampler positive<6→<9.B"]],
    ["is a link that was cut", (text) => text.replace(" positive<6", ""), ["~ 3 KSampler -positive<6"]],
    ["is a mode", (text) => text.replace("3 KSampler", "3 KSampler bypassed"), ["~ 3 KSampler bypassed"]],
    ["is a title", (text) => text.replace('"Prompt"', '"Good"'), ['~ 6 CLIPTextEncode titled "Good"']],
    [
      "is another type under the same id",
      (text) => text.replace("9 Invert", "9 Blur"),
      ["- 7:9 Invert", "+ 7:9 Blur image<input"],
    ],
    [
      "is a group",
      (text) => text.replace('"All": 3 4', '"All": 3'),
      ['- group "All": 3 4', '+ group "All": 3'],
    ],
    ["is what a subgraph shows", (text) => text.replace("^9.seed", "^9.steps"), ["~ 7 S1 -^9.seed ^9.steps"]],
  ])("%s", (_, change, lines) => {
    expect(describeChanges(parseCompact(before), parseCompact(change(before)))).toEqual(lines);
  });

  it("is told of long texts where they begin to differ", () => {
    const text = (ending: string) => parseCompact(`6 CLIPTextEncode text="${"a ".repeat(200)}${ending}"`);
    const [line] = describeChanges(text("cat and more"), text("dog"), { valueLength: 60 });
    expect(line).toBe(
      '~ 6 CLIPTextEncode text=…"a a a a a a a a a a cat and mo"…→…"a a a a a a a a a a dog"',
    );
  });
});
