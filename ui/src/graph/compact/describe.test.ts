import { describe, expect, it } from "vitest";
import type { GraphNode, GraphWidget } from "../graph";
import { describeNodes } from "./describe";

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

  it.each<[string, Partial<GraphNode>, string]>([
    ["a title of the person's own", { title: "second pass" }, '1 KSampler "second pass"'],
    ["what a run of it costs", { price: "$0.06/Run" }, "1 KSampler # costs $0.06/Run"],
    ["that it is bypassed", { mode: "bypassed" }, "1 KSampler bypassed"],
    ["that its type is not installed", { isInstalled: false }, "1 KSampler uninstalled"],
    [
      "what the file holds of a type that is not installed",
      { isInstalled: false, savedValues: ["832 x 1216", 2] },
      '1 KSampler uninstalled\n  "#0"="832 x 1216"\n  "#1"=2',
    ],
    [
      "the same by name where the file names it",
      { isInstalled: false, savedValues: { size: 64 } },
      "1 KSampler uninstalled\n  size=64",
    ],
    [
      "a subgraph by its name instead of its id",
      { type: "3f2c…", title: "Upscale", subgraph: { id: "3f2c…", name: "Upscale" } },
      '1 Subgraph "Upscale"',
    ],
    [
      "a file that is not installed",
      { widgets: [widget("ckpt_name", "b.safetensors", { kind: "choice", choices: ["a.safetensors"] })] },
      "1 KSampler\n  ckpt_name=b.safetensors(missing) (one of 1: a.safetensors)",
    ],
    [
      "how much of a long value was cut",
      { widgets: [widget("text", "a".repeat(250))] },
      `1 KSampler\n  text=${"a".repeat(200)}…+50 (text)`,
    ],
  ])("tells %s as the compact form does", (_, more, text) => {
    expect(describeNodes([node(more)], { valueLength: 200 })).toBe(text);
  });
});
