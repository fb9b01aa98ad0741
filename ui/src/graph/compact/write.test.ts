import { describe, expect, it } from "vitest";
import { outlineWorkflow } from "./outline";
import { parseCompact } from "./parse";
import type { CompactNode, CompactWorkflow } from "./workflow";
import { noWorkflow } from "./workflow";
import { nodeLine, writeCompact } from "./write";

const node = (more: Partial<CompactNode>): CompactNode => ({
  id: "3",
  type: "KSampler",
  mode: "active",
  links: [],
  values: [],
  shown: [],
  ...more,
});

describe("a node's line", () => {
  it("tells what people ask about at its default, too, where that is wanted", () => {
    const values = [{ name: "steps", value: 30 }];
    const usual = ["cfg", "add_noise"].map((name) => ({ name, value: 8 }));
    const sampler = node({ values, unwritten: { usual, fed: [], position: { x: 0, y: 0 } } });
    expect(nodeLine(sampler)).toBe("3 KSampler steps=30");
    expect(nodeLine(sampler, { tellsAsked: true })).toBe("3 KSampler steps=30 cfg=8");
  });

  it.each([
    ["randomize", [], "3 KSampler seed=5 control_after_generate=randomize"],
    ["fixed", [], "3 KSampler seed=5"],
    ["randomize", ["noise_seed"], "3 KSampler seed=5"],
  ])("tells that a seed is for one run where that is usual: %s, fed %j", (control, feeds, line) => {
    const usual = [
      { name: "seed", value: 5 },
      { name: "control_after_generate", value: control },
    ];
    const fed = feeds.map((name) => ({ name, value: 6 }));
    const sampler = node({ unwritten: { usual, fed, position: { x: 0, y: 0 } } });
    expect(nodeLine(sampler, { tellsAsked: true })).toBe(line);
    expect(nodeLine(sampler)).toBe("3 KSampler");
  });

  it("tells shortly what does not run: no usual values, and of texts the beginning", () => {
    const file = { name: "lora_name", value: "a name of fifty characters, which is a common one.s" };
    const values = [{ name: "text", value: "x".repeat(150) }, file];
    const usual = [{ name: "cfg", value: 8 }];
    const idle = node({ mode: "bypassed", values, unwritten: { usual, fed: [], position: { x: 0, y: 0 } } });
    const brief = { valueLength: 200, noteLength: 20, tellsAsked: true };
    expect(nodeLine(idle, brief)).toBe(
      `3 KSampler bypassed text=${"x".repeat(60)}…+90 lora_name=${JSON.stringify(file.value)}`,
    );
    expect(nodeLine(idle, { tellsAsked: true })).toContain("x".repeat(150));
  });

  it.each<[string, Partial<CompactNode>, string]>([
    ["is id and type", {}, "3 KSampler"],
    ["has a title of the person's own", { title: 'the "first"' }, '3 KSampler "the \\"first\\""'],
    ["tells that it is bypassed", { mode: "bypassed" }, "3 KSampler bypassed"],
    ["tells that it is muted", { mode: "muted" }, "3 KSampler muted"],
    ["quotes a type with a space", { type: "Epsilon Scaling" }, '3 "Epsilon Scaling"'],
    [
      "names a source by its node",
      { links: [{ input: "model", source: { node: "4" } }] },
      "3 KSampler model<4",
    ],
    [
      "names a source's slot where the input does not tell it",
      { links: [{ input: "positive", source: { node: "4", slot: "first one" } }] },
      '3 KSampler positive<4."first one"',
    ],
    [
      "counts a slot that the class does not have",
      { links: [{ input: "positive", source: { node: "4", slot: "#2" } }] },
      "3 KSampler positive<4.#2",
    ],
    [
      "quotes an input whose name begins like a title",
      { links: [{ input: "a b", source: { node: "4" } }] },
      '3 KSampler "a b"<4',
    ],
    ["has values by name", { values: [{ name: "my steps", value: 20 }] }, '3 KSampler "my steps"=20'],
    ["shows what a subgraph shows of its inside", { shown: ["12.seed"] }, "3 KSampler ^12.seed"],
  ])("%s, and reads back", (_, more, line) => {
    expect(nodeLine(node(more))).toBe(line);
    expect(parseCompact(line).nodes).toEqual([node(more)]);
  });

  it("remarks what a reader should know, and reads back without", () => {
    const line = nodeLine(
      node({
        values: [{ name: "ckpt_name", value: "a b.safetensors", isMissing: true }],
        remarks: { isUninstalled: true, openInputs: ["model"], unusedOutputs: ["LATENT"] },
      }),
    );
    expect(line).toBe('3 KSampler uninstalled model<? ckpt_name="a b.safetensors"(missing) >LATENT');
    expect(parseCompact(line).nodes).toEqual([
      node({ values: [{ name: "ckpt_name", value: "a b.safetensors" }] }),
    ]);
  });

  it("tells how much of a long value was cut, so that nobody takes the beginning for the whole", () => {
    const line = nodeLine(node({ values: [{ name: "text", value: "a cat ".repeat(10) }] }), {
      valueLength: 6,
    });
    expect(line).toBe('3 KSampler text="a cat "…+54');
    expect(parseCompact(line).nodes[0]?.values).toEqual([{ name: "text", value: "a cat ", cut: 54 }]);
  });

  it("spares a reader what counting in binary adds to a number, unless all has to be exact", () => {
    const sampler = node({ values: [{ name: "denoise", value: 0.1 + 0.2 }] });
    expect(nodeLine(sampler, { valueLength: 200 })).toBe("3 KSampler denoise=0.3");
    expect(nodeLine(sampler)).toBe("3 KSampler denoise=0.30000000000000004");
    const seed = node({ values: [{ name: "seed", value: 1118877715456453 }] });
    expect(nodeLine(seed, { valueLength: 200 })).toBe("3 KSampler seed=1118877715456453");
  });

  it("cuts notes at their own length", () => {
    const note = node({ type: "MarkdownNote", values: [{ name: "text", value: "b".repeat(100) }] });
    expect(nodeLine(note, { valueLength: 200, noteLength: 5 })).toBe("3 MarkdownNote text=bbbbb…+95");
  });
});

const upscale: CompactWorkflow = {
  nodes: [
    node({
      id: "7",
      type: "S1",
      links: [{ input: "image", source: { node: "3" } }],
      values: [{ name: "strength", value: 1 }],
    }),
    node({ id: "8", type: "MarkdownNote", values: [{ name: "text", value: "read me" }] }),
  ],
  groups: [
    { title: "All", nodes: ["7", "8"] },
    { title: "Empty", nodes: [] },
  ],
  subgraphs: [
    {
      key: "S1",
      name: "Upscale",
      inputs: [{ name: "image" }, { name: "strength" }, { name: "open", type: "MASK" }],
      outputs: [
        { name: "IMAGE", source: { node: "9" } },
        { name: "unused", type: "*" },
      ],
      nodes: [
        node({
          id: "9",
          type: "Enlarge",
          links: [{ input: "image", source: { node: "input", slot: "image" } }],
        }),
      ],
      groups: [],
    },
  ],
};

const upscaleText = `7 S1 image<3 strength=1
8 MarkdownNote text="read me"
group "All": 7 8
group "Empty":
subgraph S1 "Upscale" at 7 in(image strength open:MASK) out(IMAGE<9 unused:"*")
9 Enlarge image<input.image
end`;

describe("a workflow", () => {
  it("is its nodes, its groups and a block for each subgraph", () => {
    expect(writeCompact(upscale)).toBe(upscaleText);
    expect(parseCompact(upscaleText)).toEqual(upscale);
  });

  it("is its nodes and where they get their inputs from, as an outline", () => {
    expect(outlineWorkflow(upscale)).toBe(`group "All":
7 S1 <3
group "Empty":
subgraph S1 "Upscale" at 7 in(image strength open:MASK) out(IMAGE<9 unused:"*")
9 Enlarge <input
end`);
  });

  it("has each node once in its outline, in the narrowest of its groups", () => {
    const nodes = ["1", "2", "3", "4"].map((id) => node({ id, type: "Step" }));
    const groups = [
      { title: "Narrow", nodes: ["3"] },
      { title: "Wide", nodes: ["2", "3"] },
      { title: "Same as narrow", nodes: ["3"] },
    ];
    expect(outlineWorkflow({ nodes, groups, subgraphs: [] })).toBe(`1 Step
4 Step
group "Narrow": 3
group "Wide":
2 Step
group "Same as narrow":
3 Step`);
  });

  it("tells each path of a subgraph that is used twice and nested", () => {
    const inner = {
      ...upscale.subgraphs[0],
      key: "S2",
      name: "Inner",
    } as CompactWorkflow["subgraphs"][number];
    const outer = { ...inner, key: "S1", name: "Outer", nodes: [node({ id: "1", type: "S2" })] };
    const nested = {
      ...noWorkflow,
      nodes: [node({ id: "4", type: "S1" }), node({ id: "5", type: "S1" }), node({ id: "6", type: "S2" })],
      subgraphs: [outer, inner],
    };
    expect(writeCompact(nested)).toContain('subgraph S1 "Outer" at 4 5 in(');
    expect(writeCompact(nested)).toContain('subgraph S2 "Inner" at 4:1 5:1 6 in(');
  });

  it("may be indented and have comments and blank lines", () => {
    expect(parseCompact(`# mine\n\n${upscaleText.replaceAll("\n", "\r\n  ")}\nselected: 7`)).toEqual(upscale);
  });
});

describe("text that is no compact form", () => {
  it.each([
    ["a second node of one id", "1 A\n1 B", "Line 2: there is a second node 1"],
    ["words of no meaning", "1 KSampler steps 20", 'Line 1: "steps" is neither input<source, widget=value'],
    ["a subgraph without an end", 'subgraph S1 "a" in() out()\n1 A', 'the block of subgraph S1 has no "end"'],
    ["an end without a subgraph", "end", 'Line 1: "end" without a subgraph block'],
    ["a sentence", "Here is the workflow:", 'Line 1: "the" is neither'],
    ["JSON", '{"nodes": []}', "Line 1"],
  ])("with %s is refused, naming the line", (_, text, message) => {
    expect(() => parseCompact(text)).toThrow(message);
  });
});
