import { expect, it } from "vitest";
import { parseCompact } from "../../graph/compact/parse";
import { countTokens } from "../room";
import { type Form, firstThatFits } from "./forms";
import { outlines, workflowForms } from "./workflowForms";

const prompt = (number: number) => `the same scene ${"as before ".repeat(30)}from angle ${number}`;

/** A workflow with copies of a subgraph, each with its own prompt and seed. */
function withCopies(count: number) {
  const keys = Array.from({ length: count }, (_, index) => index + 1);
  const block = (key: number) => `subgraph S${key} "Angle ${key}" at ${key} in(image) out(IMAGE<${key}5)
${key}1 UNETLoader unet_name=qwen_image_edit_2511_bf16.safetensors
${key}2 CLIPTextEncode text="${prompt(key)}"
${key}3 VAEEncode pixels<input.image
${key}4 KSampler model<${key}1 positive<${key}2 latent_image<${key}3 seed=${key} steps=8
${key}5 VAEDecode samples<${key}4
end`;
  return parseCompact([...keys.map((key) => `${key} S${key}`), ...keys.map(block)].join("\n"));
}

const tokensOf = ({ entries }: Form) => countTokens(entries.join("\n"));

it("tells what is alike once before it tells less of values, and where that fits, before an outline", () => {
  const workflow = withCopies(6);
  const forms = [...workflowForms(workflow)];
  const text = (form: Form | undefined) => form?.entries.join("\n") ?? "";
  const fitting = (tokens: number) => firstThatFits(forms, "", (form) => tokensOf(form) <= tokens);

  expect(text(fitting(tokensOf(forms[0] as Form)))).not.toContain("like S1");
  const alike = fitting(tokensOf(forms[0] as Form) - 1);
  expect(alike.view).toBeUndefined();
  expect(text(alike)).toContain("64 KSampler =14 seed=6");
  expect(parseCompact(text(alike)).subgraphs[5]?.nodes.map(({ id }) => id)).toEqual([
    "61",
    "62",
    "63",
    "64",
    "65",
  ]);
  expect(forms.findIndex((form) => text(form).includes("like S1"))).toBe(1);
});

it("leaves out notes and groups before the values of all nodes", () => {
  const lines = [
    "1 EmptyImage width=640",
    '2 ImageScale "Half" image<1 height=32',
    `3 Note text="${"for people ".repeat(20)}"`,
    'group "Sizes": 1 2',
    "4 S1 image<2",
    'subgraph S1 "Inner" at 4 in(image) out()',
    "5 PreviewImage images<input.image",
    "6 MarkdownNote text=short",
    'group "Seen": 5',
    "end",
  ];
  const forms = [...workflowForms(parseCompact(lines.join("\n")))];
  const outline = forms.findIndex(({ view }) => view === "outline");
  const without = lines.filter((line) => !/^group|Note/.test(line));
  expect(forms[outline - 3]).toMatchObject({ entries: without, tells: "names" });
  expect(forms[outline - 1]?.entries.join("\n")).toBe(without.join("\n").replace(' "Half"', ""));
  expect(forms[outline - 1]?.leftOut).toContain("Notes, groups");
});

it("tells values that people ask about before more of long texts", () => {
  const workflow = parseCompact(`1 CLIPTextEncode text="${"a".repeat(100)}"\n2 KSampler`);
  const [, sampler] = workflow.nodes;
  const usual = [{ name: "denoise", value: 1 }];
  if (sampler) sampler.unwritten = { usual, fed: [], position: { x: 0, y: 0 } };
  const texts = [...workflowForms(workflow)]
    .filter(({ view }) => !view)
    .map(({ entries }) => entries.join("\n"));
  const shortest = texts.findIndex((each) => /(?<!a)a{16}"?…/.test(each));
  expect(texts[shortest]).toContain("denoise=1");
  expect(texts.at(-1)).not.toContain("denoise");
});

it("tells it once in an outline, too, and not where nothing is alike", () => {
  const isAlike = (form: Form) => form.entries.some((entry) => entry.endsWith("like S1"));
  expect([...outlines(withCopies(3))].map(isAlike)).toEqual([false, true, false]);
  expect([...outlines(withCopies(1))].map(isAlike)).toEqual([false, false]);
});

it("names what an outline leaves out, and keeps which nodes are in which group longer than titles", () => {
  const workflow = parseCompact(
    [
      '1 EmptyImage "Sky"',
      "2 SaveImage images<1",
      "3 Note text=Hello",
      'group "Made": 1',
      'group "Later":',
    ].join("\n"),
  );
  const told = (forms: Iterable<Form>) => [...forms].map(({ entries, leftOut }) => [entries, leftOut]);
  const ask = "Pass nodeIds to read those of a few nodes.";
  const askForNodes = "Pass nodeIds, with view around also for what is near them.";
  expect(told(outlines(workflow))).toEqual([
    [["2 SaveImage <1", 'group "Made":', '1 EmptyImage "Sky"', 'group "Later":'], `Notes (3). ${ask}`],
    [["2 SaveImage <1", 'group "Made":', "1 EmptyImage", 'group "Later":'], `Titles, notes (3). ${ask}`],
    [["1 EmptyImage", "2 SaveImage <1"], `Titles, groups, notes (3). ${ask}`],
    [
      ["2 SaveImage <1", 'group "Made": 1', 'group "Later":'],
      `The nodes in groups and subgraphs, notes (3). ${askForNodes}`,
    ],
  ]);
  const last = [...workflowForms(workflow)].at(-2);
  expect(last?.leftOut).toBe(`Widget values, titles, groups, notes (3). ${ask}`);
  expect(told(outlines(parseCompact("1 EmptyImage")))[0]).toEqual([["1 EmptyImage"], undefined]);
});

it("says once how to ask for what is left out", () => {
  const ask = "Pass nodeIds.";
  const form = { entries: ["1 EmptyImage", "2 SaveImage"], leftOut: `Notes. ${ask}` };
  expect(firstThatFits([form], ask, ({ entries }) => entries.length < 2).leftOut).toBe(
    `1 of 2 entries. Notes. ${ask}`,
  );
});
