/** Workflows by chance, for tests: subgraphs in subgraphs and used twice, primitives, reroutes, odd names and texts. */

import type { Json } from "../graph";
import type { NodeShape } from "../nodeShape";
import type { CompactGraph, CompactLink, CompactNode, CompactSubgraph, CompactWorkflow } from "./workflow";

type Chance = () => number;

const shape = (type: string, more: Partial<NodeShape> = {}): NodeShape => ({
  type,
  title: type,
  inputs: [],
  outputs: [{ name: "IMAGE", type: "IMAGE" }],
  widgets: [],
  size: { width: 200, height: 100 },
  ...more,
});

const image = { name: "image", type: "IMAGE", isWidget: false, isOptional: false };
const widgetInput = (name: string, type: string) => ({ name, type, isWidget: true, isOptional: false });

const shapes: readonly NodeShape[] = [
  shape("Empty", {
    inputs: [widgetInput("width", "INT"), widgetInput("text", "STRING")],
    widgets: [
      { name: "width", value: 512 },
      { name: "text", value: "" },
    ],
  }),
  shape("Blur", { inputs: [image, widgetInput("width", "INT")], widgets: [{ name: "width", value: 3 }] }),
  shape("Two Outputs", {
    inputs: [image, { ...image, name: "mask.in", isOptional: true }],
    outputs: [
      { name: "IMAGE", type: "IMAGE" },
      { name: "MASK", type: "IMAGE" },
    ],
  }),
  shape("Twins", {
    inputs: [image],
    outputs: [
      { name: "same", type: "IMAGE" },
      { name: "same", type: "IMAGE" },
    ],
  }),
  shape("Reroute", { inputs: [{ ...image, name: "" }], outputs: [{ name: "", type: "*" }] }),
  shape("PrimitiveNode", { outputs: [{ name: "connect to widget input", type: "*" }] }),
  shape("Loader", { widgets: [{ name: "file", value: "a.png", isOpenChoice: true }] }),
];

export const shapeOf = (type: string) => shapes.find((each) => each.type === type);

const values: readonly Json[] = [
  ...[
    "plain",
    "two words",
    "",
    "20",
    "true",
    'with "quotes"',
    "a\nb",
    "a<b=c",
    "…+9",
    "(missing)",
    "C:\\x.png",
    "猫",
  ],
  ...[0, -1, 0.1, 1e21, true, false, null, [1, "]"], { a: "}", b: [null] }],
];

export function randomWorkflow(seed: number): CompactWorkflow {
  const chance = generator(seed);
  const subgraphs: CompactSubgraph[] = [];
  const count = Math.floor(chance() * 4);
  for (let index = count; index > 0; index--)
    subgraphs.unshift(randomSubgraph(chance, `S${index}`, subgraphs));
  const workflow = { ...randomGraph(chance, subgraphs), subgraphs };
  return inOrderOfUse(workflow);
}

/** Keys are numbered as they are met from the top down; what nothing uses is left out. */
function inOrderOfUse(workflow: CompactWorkflow): CompactWorkflow {
  const order: string[] = [];
  const visit = ({ nodes }: CompactGraph) => {
    for (const { type } of nodes) {
      const inner = workflow.subgraphs.find(({ key }) => key === type);
      if (!inner || order.includes(type)) continue;
      order.push(type);
      visit(inner);
    }
  };
  visit(workflow);
  const name = (type: string) => (order.includes(type) ? `S${order.indexOf(type) + 1}` : type);
  const renamed = <Graph extends CompactGraph>(graph: Graph): Graph => ({
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, type: name(node.type) })),
  });
  return {
    ...renamed(workflow),
    subgraphs: order.map((key) => {
      const subgraph = workflow.subgraphs.find((each) => each.key === key) as CompactSubgraph;
      return { ...renamed(subgraph), key: name(key) };
    }),
  };
}

function randomSubgraph(chance: Chance, key: string, inner: readonly CompactSubgraph[]): CompactSubgraph {
  const graph = randomGraph(chance, inner);
  const first: CompactNode = {
    ...node("900", "Blur"),
    links: [{ input: "image", source: { node: "input" } }],
  };
  const promoted: CompactNode = {
    ...node("901", "Empty"),
    links: [{ input: "text", source: { node: "input", slot: "prompt text" } }],
  };
  return {
    key,
    name: pick(chance, ["Upscale", 'My "best" one', "a(b)"]),
    inputs: [
      { name: "image" },
      { name: "prompt text", label: 'what it is: "all"' },
      { name: "open", label: "mask", type: "MASK" },
    ],
    outputs: [
      { name: "IMAGE", label: "finished", source: { node: "900" } },
      { name: "unused", type: "*" },
    ],
    ...graph,
    nodes: [...graph.nodes, first, promoted],
  };
}

function randomGraph(chance: Chance, inner: readonly CompactSubgraph[]): CompactGraph {
  const nodes: CompactNode[] = [];
  const count = 1 + Math.floor(chance() * 8);
  for (let index = 1; index <= count; index++)
    nodes.push(randomNode(chance, String(index * 3), nodes, inner));
  feedPrimitives(nodes);
  return { nodes, groups: [] };
}

function randomNode(
  chance: Chance,
  id: string,
  before: readonly CompactNode[],
  inner: readonly CompactSubgraph[],
): CompactNode {
  const type = pick(chance, [...shapes.map((each) => each.type), ...inner.map(({ key }) => key)]);
  const subgraph = inner.find(({ key }) => key === type);
  const mode = pick(chance, ["active", "active", "active", "bypassed", "muted"] as const);
  const title = pick(chance, [undefined, undefined, "own title", 'with "quotes"', "bypassed"]);
  return {
    ...node(id, type),
    mode,
    ...(title !== undefined && { title }),
    links: randomLinks(chance, type, before, subgraph),
    values: randomValues(chance, type, subgraph),
    shown: subgraph && chance() < 0.5 ? ["901.width", "900.my widget"] : [],
  };
}

function randomLinks(
  chance: Chance,
  type: string,
  before: readonly CompactNode[],
  subgraph: CompactSubgraph | undefined,
): CompactLink[] {
  const sources = before.filter((each) => shapeOf(each.type) && each.type !== "PrimitiveNode");
  if (sources.length === 0) return [];
  const inputs = subgraph
    ? ["image"]
    : (shapeOf(type)?.inputs ?? []).filter(({ isWidget }) => !isWidget).map(({ name }) => name);
  return inputs
    .filter(() => chance() < 0.8)
    .map((input) => {
      const source = pick(chance, sources);
      const slots: Record<string, readonly (string | undefined)[]> = {
        "Two Outputs": ["IMAGE", "MASK"],
        Twins: ["#0", "#1"],
      };
      const slot = pick(chance, slots[source.type] ?? [undefined]);
      const isPlain = slot === undefined || slot.toLowerCase() === input.toLowerCase();
      return { input, source: { node: source.id, ...(!isPlain && { slot }) } };
    });
}

function randomValues(
  chance: Chance,
  type: string,
  subgraph: CompactSubgraph | undefined,
): CompactNode["values"] {
  if (type === "PrimitiveNode")
    return [
      { name: "value", value: pick(chance, [1, 2]) },
      { name: "control_after_generate", value: "fixed" },
    ];
  if (subgraph) return [{ name: "prompt text", value: pick(chance, values) }];
  return (shapeOf(type)?.widgets ?? []).flatMap(({ name, value: usual, isOpenChoice }) => {
    const value = pick(chance, values);
    const isUsual = value === usual || (usual === "" && value === null);
    return isOpenChoice || (!isUsual && chance() < 0.7) ? [{ name, value }] : [];
  });
}

/** A primitive that feeds nothing has no widget: each gets the width of a node of its own. */
function feedPrimitives(nodes: CompactNode[]): void {
  for (const [index, primitive] of nodes.filter(({ type }) => type === "PrimitiveNode").entries())
    nodes.push({
      ...node(String(500 + index), "Blur"),
      links: [{ input: "width", source: { node: primitive.id } }],
    });
}

function node(id: string, type: string): CompactNode {
  return { id, type, mode: "active", links: [], values: [], shown: [] };
}

function pick<Item>(chance: Chance, items: readonly Item[]): Item {
  return items[Math.floor(chance() * items.length)] as Item;
}

/** Mulberry32: the same seed, the same numbers. */
function generator(seed: number): Chance {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
