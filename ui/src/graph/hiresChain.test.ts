/** What is put between the first sampler of ComfyUI's default workflow and its end, as A1111's parameters have it. */

import { expect, it } from "vitest";
import type { Graph, GraphGroup, GraphNode, NodeId, Rectangle } from "./graph";
import { outline, overlaps } from "./placement";
import { placeWithRoom } from "./placeWithRoom";
import { imageNode } from "./testNodes";
import { runsBack } from "./wires";

type Box = readonly [x: number, y: number, width: number, height: number];

const stood: Readonly<Record<NodeId, Box>> = {
  loader: [60, 170, 315, 128],
  sampler: [870, 140, 315, 504],
  decode: [975, 670, 210, 76],
  save: [1220, 140, 470, 590],
  negative: [410, 380, 425, 211],
  size: [520, 660, 315, 136],
  positive: [411, 174, 423, 194],
  promptNote: [400, -100, 440, 230],
  outputNote: [1220, 750, 470, 160],
  sizeNote: [510, 830, 330, 180],
  modelNote: [-370, 130, 400, 330],
};

const groups: readonly GraphGroup[] = [
  group("Step 1 - Load model", ["loader"], [50, 130, 335, 182]),
  group("Step 3 - Image size", ["size"], [510, 620, 335, 190]),
  group("Step 2 - Prompt", ["negative", "positive"], [400, 130, 445, 467]),
];

/** Through an image: an upscaler, then a second pass. */
const image = {
  added: {
    skip: [0, 0, 270, 88],
    model: [0, 0, 270, 88],
    upscale: [0, 0, 234, 76],
    scale: [0, 0, 270, 160],
    encode: [0, 0, 140, 76],
    second: [0, 0, 270, 292],
    again: [0, 0, 140, 76],
  },
  sources: {
    skip: ["loader"],
    positive: ["skip"],
    negative: ["skip"],
    sampler: ["loader", "positive", "negative", "size"],
    decode: ["sampler", "loader"],
    upscale: ["model", "decode"],
    scale: ["upscale"],
    encode: ["scale", "loader"],
    second: ["loader", "positive", "negative", "encode"],
    again: ["second", "loader"],
    save: ["again"],
  },
} satisfies Batch;

/** Through a latent image, with a LoRA and a second text before the first sampler. */
const latent = {
  added: {
    lora: [0, 0, 270, 156],
    skip: [0, 0, 270, 88],
    snow: [0, 0, 400, 230],
    average: [0, 0, 315, 108],
    upscale: [0, 0, 270, 112],
    second: [0, 0, 270, 292],
  },
  sources: {
    lora: ["loader"],
    skip: ["lora"],
    snow: ["skip"],
    positive: ["skip"],
    negative: ["skip"],
    average: ["positive", "snow"],
    sampler: ["lora", "average", "negative", "size"],
    upscale: ["sampler"],
    second: ["lora", "average", "negative", "upscale"],
    decode: ["second", "loader"],
    save: ["decode"],
  },
} satisfies Batch;

interface Batch {
  added: Readonly<Record<NodeId, Box>>;
  sources: Readonly<Record<NodeId, readonly NodeId[]>>;
}

function group(title: string, nodes: NodeId[], [x, y, width, height]: Box): GraphGroup {
  return { title, nodes, bounds: { x, y, width, height } };
}

function placed({ added, sources }: Batch, others: Readonly<Record<NodeId, Box>> = {}) {
  const isWired = (id: NodeId) => sources[id] || Object.values(sources).some((ids) => ids.includes(id));
  const nodes = Object.entries({ ...stood, ...others, ...added }).map(([id, [x, y, width, height]]) => {
    const node = imageNode(id, { x, y: y + 30 }, { sources: sources[id] ?? [] });
    return { ...node, size: { width, height: height - 30 }, outputs: isWired(id) ? node.outputs : [] };
  });
  for (const { id, inputs } of nodes)
    for (const [input, { linkedFrom, name }] of inputs.entries())
      nodes
        .find((node) => node.id === linkedFrom?.node)
        ?.outputs[0]?.linkedTo.push({ node: id, input, name });
  const graph: Graph = { scope: { kind: "workflow" }, nodes, groups: [...groups], selection: [] };
  const { positions, moved: ends } = placeWithRoom(
    graph,
    new Map(Object.keys(added).map((id) => [id, undefined])),
  );
  const places = new Map([...positions, ...ends]);
  const boxes = new Map(
    nodes.map((node: GraphNode) => [
      node.id,
      outline({ ...node, position: places.get(node.id) ?? node.position }),
    ]),
  );
  const box = (id: NodeId) => boxes.get(id) as Rectangle;
  const news = Object.keys(added);
  return {
    box,
    moved: [...ends.keys()],
    back: Object.entries(sources).flatMap(([target, ids]) =>
      ids.filter((id) => runsBack(box(id), box(target))).map((id) => `${id} → ${target}`),
    ),
    met: [...news, ...ends.keys()].flatMap((id) =>
      [...boxes]
        .filter(([other, at]) => other !== id && overlaps(at, box(id)))
        .map(([other]) => `${id} ${other}`),
    ),
  };
}

const asBefore = ["sampler → decode"];

it("a hires chain stands before the end, and a node behind the loader before the prompts", () => {
  const { back, met, box } = placed(image);
  expect([back, met]).toEqual([asBefore, []]);
  expect(box("again").y).toBe(box("upscale").y);
});

it("the first sampler moves on with the end where something comes before each", () => {
  const { back, met } = placed(latent);
  expect([back, met]).toEqual([[], []]);
});

it("a note under the end goes along", () => {
  const { box } = placed(image);
  expect([box("outputNote").x, box("outputNote").y]).toEqual([box("save").x, 750]);
});

it("what stands right of the end moves on", () => {
  const { back, met, moved } = placed(image, { other: [1730, -100, 4000, 800] });
  expect([back, met]).toEqual([asBefore, []]);
  expect(moved).toContain("other");
});

it("the end moves on also where the decoder stood right under the sampler", () => {
  const { added, sources } = latent;
  const batch = {
    added: { upscale: added.upscale, second: added.second },
    sources: {
      positive: ["loader"],
      negative: ["loader"],
      sampler: ["loader", "positive", "negative", "size"],
      upscale: ["sampler"],
      second: ["loader", "positive", "negative", "upscale"],
      decode: sources.decode,
      save: sources.save,
    },
  };
  const { back, met, moved } = placed(batch, { decode: [870, 670, 210, 76] });
  expect([back, met, moved]).toEqual([[], [], ["decode", "save", "outputNote"]]);
});
