import { describe, expect, it } from "vitest";
import { compactGraph, describeNodes } from "./compact";
import type { Graph, GraphNode, GraphWidget } from "./graph";

const node = (more: Partial<GraphNode>): GraphNode => ({
  id: "1",
  type: "KSampler",
  title: "KSampler",
  defaultTitle: "KSampler",
  mode: "active",
  isInstalled: true,
  inputs: [],
  outputs: [],
  widgets: [],
  position: { x: 0, y: 0 },
  size: { width: 200, height: 100 },
  ...more,
});

const widget = (name: string, value: GraphWidget["value"], more: Partial<GraphWidget> = {}): GraphWidget => ({
  name,
  kind: "text",
  value,
  ...more,
});

const graph = (nodes: GraphNode[], more: Partial<Graph> = {}): Graph => ({
  scope: { kind: "workflow" },
  nodes,
  groups: [],
  selection: [],
  ...more,
});

const loader = node({
  id: "4",
  type: "CheckpointLoaderSimple",
  title: "Load Checkpoint",
  defaultTitle: "Load Checkpoint",
  outputs: [
    { name: "MODEL", type: "MODEL", linkedTo: [{ node: "1", input: 0, name: "model" }] },
    { name: "CLIP", type: "CLIP", linkedTo: [] },
  ],
});

describe("a node's line", () => {
  it.each<[string, Partial<GraphNode>, string]>([
    ["is id and type", {}, "1 KSampler"],
    ["has the title where it is the user's own", { title: "second pass" }, '1 KSampler "second pass"'],
    ["tells that it is bypassed", { mode: "bypassed" }, "1 KSampler bypassed"],
    ["tells that it is muted", { mode: "muted" }, "1 KSampler muted"],
    ["tells that its type is not installed", { isInstalled: false }, "1 KSampler (not installed)"],
    ["quotes a type with a space", { type: "Epsilon Scaling" }, '1 "Epsilon Scaling"'],
    [
      "calls a subgraph by its name instead of its id",
      { type: "3f2c…", title: "Upscale", subgraph: { id: "3f2c…", name: "Upscale" } },
      '1 Subgraph "Upscale"',
    ],
    [
      "names the source's slot where it has several outputs",
      {
        inputs: [
          {
            name: "model",
            type: "MODEL",
            isWidget: false,
            isOptional: false,
            linkedFrom: { node: "4", output: 0, name: "MODEL" },
          },
        ],
      },
      "1 KSampler model<4.MODEL",
    ],
    [
      "marks required inputs that are open, but neither optional ones nor widgets",
      {
        inputs: [
          { name: "model", type: "MODEL", isWidget: false, isOptional: false },
          { name: "mask", type: "MASK", isWidget: false, isOptional: true },
          { name: "steps", type: "INT", isWidget: true, isOptional: false },
        ],
      },
      "1 KSampler model<?",
    ],
    [
      "leaves widgets at their default out, and empty texts",
      {
        widgets: [
          widget("steps", 20, { kind: "integer", default: 20 }),
          widget("text", ""),
          widget("cfg", 7, { kind: "number", default: 8 }),
        ],
      },
      "1 KSampler cfg=7",
    ],
    [
      "always tells choices that have no default, since the first one depends on what is installed",
      { widgets: [widget("ckpt_name", "a b.safetensors", { kind: "choice", choices: ["a b.safetensors"] })] },
      '1 KSampler ckpt_name="a b.safetensors"',
    ],
    [
      "tells that a chosen file is not installed",
      { widgets: [widget("ckpt_name", "b.safetensors", { kind: "choice", choices: ["a.safetensors"] })] },
      "1 KSampler ckpt_name=b.safetensors(missing)",
    ],
    [
      "leaves out the value of a widget that is fed by a link",
      {
        inputs: [
          {
            name: "seed",
            type: "INT",
            isWidget: true,
            isOptional: false,
            linkedFrom: { node: "9", output: 0, name: "INT" },
          },
        ],
        widgets: [widget("seed", 5, { kind: "integer", default: 0 })],
      },
      "1 KSampler seed<9",
    ],
    [
      "names its outputs where nothing is connected to any of them",
      { outputs: [{ name: "LATENT", type: "LATENT", linkedTo: [] }] },
      "1 KSampler >LATENT",
    ],
    [
      "cuts long values, telling how much was left out",
      { widgets: [widget("text", "a".repeat(250))] },
      `1 KSampler text="${"a".repeat(200)}… (50 more characters)"`,
    ],
    [
      "keeps a text with breaks on one line",
      { widgets: [widget("text", 'a "b"\nc')] },
      '1 KSampler text="a \\"b\\"\\nc"',
    ],
    [
      "cuts notes sooner",
      { type: "MarkdownNote", widgets: [widget("text", "b".repeat(170))] },
      `1 MarkdownNote text="${"b".repeat(160)}… (10 more characters)"`,
    ],
  ])("%s", (_, more, line) => {
    expect(compactGraph(graph([node(more), loader])).split("\n")[0]).toBe(line);
  });
});

describe("a graph's lines", () => {
  it("end with groups and what the user has selected", () => {
    const text = compactGraph(
      graph([node({})], { groups: [{ title: "Sampling", nodes: ["1"] }], selection: ["1"] }),
    );
    expect(text).toBe('1 KSampler\ngroup "Sampling": 1\nselected: 1');
  });

  it("name the edge of an open subgraph", () => {
    const scope = {
      kind: "subgraph" as const,
      id: "s",
      name: "Upscale",
      outputs: [
        { name: "IMAGE", type: "IMAGE", linkedFrom: { node: "1", output: 0, name: "LATENT" } },
        { name: "MASK", type: "MASK" },
      ],
    };
    const inner = node({
      inputs: [
        {
          name: "model",
          type: "MODEL",
          isWidget: false,
          isOptional: false,
          linkedFrom: { node: "input", output: 0, name: "model" },
        },
      ],
    });
    expect(compactGraph(graph([inner], { scope }))).toBe(
      "1 KSampler model<input.model\noutput.IMAGE<1\noutput.MASK<?",
    );
  });
});

describe("a node in detail", () => {
  it("has all slots with types and all widgets with what they may be set to", () => {
    const sampler = node({
      inputs: [
        {
          name: "model",
          type: "MODEL",
          isWidget: false,
          isOptional: false,
          linkedFrom: { node: "4", output: 0, name: "MODEL" },
        },
        { name: "positive", type: "CONDITIONING", isWidget: false, isOptional: false },
        { name: "mask", type: "MASK", isWidget: false, isOptional: true },
        { name: "steps", type: "INT", isWidget: true, isOptional: false },
      ],
      outputs: [{ name: "LATENT", type: "LATENT", linkedTo: [{ node: "8", input: 0, name: "samples" }] }],
      widgets: [
        widget("steps", 20, { kind: "integer", default: 20, min: 1, max: 10000, step: 1 }),
        widget("cfg", 8, { kind: "number", default: 8, min: 0, max: 100, step: 0.1 }),
        widget("sampler_name", "s0", {
          kind: "choice",
          choices: Array.from({ length: 25 }, (_, index) => `s${index}`),
        }),
      ],
    });
    expect(describeNodes([sampler], { choices: 3 }).split("\n")).toEqual([
      "1 KSampler",
      "  in model MODEL <4.MODEL",
      "  in positive CONDITIONING <?",
      "  in mask MASK (optional)",
      "  out LATENT LATENT >8.samples",
      "  steps=20 (integer 1..10000)",
      "  cfg=8 (number 0..100 step 0.1)",
      "  sampler_name=s0 (one of 25: s0, s1, s2, …)",
    ]);
  });
});
