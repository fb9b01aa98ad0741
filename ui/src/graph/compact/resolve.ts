/** Names of the compact form made into slots: which output feeds which input, of which type, with which widgets. */

import type { Json, NodeId, Size } from "../graph";
import { subgraphInput } from "../graph";
import type { NodeShape, ShapeInput, ShapeOf, ShapeWidget } from "../nodeShape";
import { acceptsType } from "../slotTypes";
import { labelOf } from "../uiWorkflow";
import type { KeptNode } from "./boxes";
import { circleIn } from "./circle";
import { isPlace, keptSlots, told, widgetNames, widgetsOf } from "./frames";
import { plainSlot } from "./read";
import { rowInput, withGrownRows } from "./rows";
import { valuesFromOutside } from "./valuesFromOutside";
import type { CompactGraph, CompactNode, CompactSource, CompactSubgraph, CompactWorkflow } from "./workflow";

/** A node's slots and widgets: those of its type, and what the compact form names beyond them. */
export interface Frame {
  inputs: ShapeInput[];
  outputs: FrameOutput[];
  widgets: ShapeWidget[];
  savesByName: boolean;
  /** What lines call its outputs, where the node itself has renamed them. */
  outputNames?: readonly string[];
  size: Size;
  isInstalled: boolean;
}

export interface FrameOutput {
  name: string;
  label?: string;
  type: string;
  /** Of a primitive: the widget that it stands for. */
  widget?: string;
}

export interface Connection {
  origin: NodeId;
  slot: number;
  target: NodeId;
  input: number;
  type: string;
}

export interface ResolvedGraph {
  frames: ReadonlyMap<NodeId, Frame>;
  connections: Connection[];
}

export interface ResolvedSubgraph extends ResolvedGraph {
  definition: CompactSubgraph;
  /** How its instances look. */
  instance: Frame;
  /** For each output, what feeds it. */
  results: ({ origin: NodeId; slot: number; type: string } | undefined)[];
}

export interface ResolvedWorkflow extends ResolvedGraph {
  /** By key, the inner ones before those that they are in, as one frontend needs them. */
  subgraphs: ReadonlyMap<string, ResolvedSubgraph>;
}

export class ResolveError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.name = "ResolveError";
    this.problems = problems;
  }
}

const anyType = "*";
const unknownSize: Size = { width: 270, height: 120 };

/** Throws `ResolveError` with everything that is named and does not exist. Types need not be installed. */
export function resolveWorkflow(
  workflow: CompactWorkflow,
  shapeOf: ShapeOf,
  kept: (scope: string | undefined, node: CompactNode) => KeptNode | undefined = () => undefined,
): ResolvedWorkflow {
  const problems: string[] = [];
  const definitions = new Map(workflow.subgraphs.map((subgraph) => [subgraph.key, subgraph]));
  const done = new Map<string, ResolvedSubgraph>();
  const given = valuesFromOutside(workflow, definitions);
  const open = new Set<string>();

  function subgraphOf(key: string): ResolvedSubgraph | undefined {
    const definition = definitions.get(key);
    if (!definition || done.has(key)) return done.get(key);
    if (open.has(key)) {
      problems.push(`subgraph ${key} contains itself`);
      return undefined;
    }
    open.add(key);
    const resolved = resolveSubgraph(definition);
    open.delete(key);
    done.set(key, resolved);
    return resolved;
  }

  function resolveSubgraph(definition: CompactSubgraph): ResolvedSubgraph {
    const where = ` of subgraph ${definition.key}`;
    const graph = resolveGraph(definition, where, definition);
    const results = definition.outputs.map(({ name, source }) => {
      if (!source) return undefined;
      const found = sourceSlot(source, name, graph.frames, definition);
      if (typeof found !== "string") return { origin: source.node, ...found };
      problems.push(`output ${name}${where}: ${found}`);
      return undefined;
    });
    return { ...graph, definition, results, instance: instanceFrame(definition, graph, results) };
  }

  function resolveGraph(graph: CompactGraph, where: string, scope?: CompactSubgraph): ResolvedGraph {
    const primitives = new Map(
      graph.nodes.flatMap(({ id, type, values: [first] }): [NodeId, Json][] =>
        type === "PrimitiveNode" && first ? [[id, first.value]] : [],
      ),
    );
    const frames = new Map(graph.nodes.map((node) => [node.id, frameOf(node, scope, primitives)]));
    nameOutputsOfUnknownTypes(graph, frames);
    const connections = graph.nodes.flatMap((node) => {
      const taken = new Set(node.links.map(({ input }) => input));
      return node.links.flatMap(({ input, source, unwired }): Connection[] => {
        if (unwired) return [];
        const frame = frames.get(node.id);
        const wanted = frame?.inputs.find(({ name }) => name === input)?.type;
        const found = sourceSlot(source, input, frames, scope, wanted);
        if (!frame) return [];
        if (typeof found === "string") {
          problems.push(`node ${node.id} ${node.type}${where}, input ${input}: ${found}`);
          return [];
        }
        const index = inputSlot(frame, input, found.type, taken);
        const type = source.node === subgraphInput ? (frame.inputs[index]?.type ?? anyType) : found.type;
        return [{ origin: source.node, slot: found.slot, target: node.id, input: index, type }];
      });
    });
    typePrimitives(graph, frames, connections);
    const circle = circleIn(graph);
    if (circle) problems.push(`nodes ${circle.join(" <- ")}${where} feed each other in a circle`);
    return { frames, connections };
  }

  function frameOf(
    node: CompactNode,
    scope: CompactSubgraph | undefined,
    primitives: ReadonlyMap<NodeId, Json>,
  ): Frame {
    const instance = subgraphOf(node.type)?.instance;
    const was = instance ? undefined : kept(scope?.key, node);
    const outside = scope && given.get(scope.key);
    const chosen = told(node, outside, primitives);
    const fed = (name: string) => was?.widgets?.find((widget) => widget.isFed && widget.name === name)?.value;
    const own = instance ? undefined : shapeOf(node.type, (name) => chosen.get(name) ?? fed(name));
    const shape = instance ?? own;
    const values = told(node, outside, shape?.savesByName ? primitives : undefined, widgetNames(shape, was));
    for (const name of own?.variesByChoice ? absentValues(node, own) : [])
      problems.push(
        `node ${node.id} ${node.type} has no ${name} with ${choicesAbove(node, name)}; it has ${own?.widgets.map((each) => each.name).join(", ")}`,
      );
    const slots = was?.slots ? keptSlots(was.slots, shape) : shape;
    return {
      inputs: withGrownRows(
        slots?.inputs ?? [],
        node.links.map(({ input }) => input),
      ),
      outputs: [...(slots?.outputs ?? [])],
      ...(was?.slots && shape && { outputNames: shape.outputs.map(({ name }) => name) }),
      widgets: widgetsOf(values, shape, was),
      savesByName:
        was?.savesByName ??
        (shape ? (shape.savesByName ?? false) : node.values.some(({ name }) => !isPlace(name))),
      size: shape?.size ?? unknownSize,
      isInstalled: shape !== undefined,
    };
  }

  const root = resolveGraph(workflow, "");
  for (const { key } of workflow.subgraphs) subgraphOf(key);
  if (problems.length > 0) throw new ResolveError(problems);
  return { ...root, subgraphs: done };
}

/** The choices that would bring a value of this name, as they are written. */
function choicesAbove({ values }: CompactNode, name: string): string {
  const above = values.filter((each) => name.startsWith(`${each.name}.`));
  return above.map((each) => `${each.name}=${JSON.stringify(each.value)}`).join(" and ") || "these choices";
}

/** Pages number widgets of one name once their node is in a graph: `control_after_generate#1`. */
function absentValues({ values }: CompactNode, { widgets }: NodeShape): string[] {
  const names = new Set(widgets.map(({ name }) => name));
  return values.flatMap(({ name }) =>
    names.has(name) || names.has(name.replace(/#\d+$/, "")) ? [] : [name],
  );
}

function instanceFrame(
  { inputs, outputs }: CompactSubgraph,
  { frames, connections }: ResolvedGraph,
  results: ResolvedSubgraph["results"],
): Frame {
  const ports = inputs.map((port, slot) => {
    const targets = connections
      .filter(({ origin, slot: from }) => origin === subgraphInput && from === slot)
      .map(({ target, input }) => ({ frame: frames.get(target), input: frames.get(target)?.inputs[input] }));
    const fed = targets.find(({ input }) => input?.isWidget);
    const widget = fed?.frame?.widgets.find(({ name }) => name === fed.input?.name);
    const first = (fed ?? targets[0])?.input;
    return {
      input: {
        name: port.name,
        ...labelOf(port),
        type: port.type ?? first?.type ?? anyType,
        isWidget: widget !== undefined,
        isOptional: targets.every(({ input }) => input?.isOptional),
      },
      widget,
    };
  });
  return {
    inputs: ports.map(({ input }) => input),
    outputs: outputs.map((port, index) => ({
      name: port.name,
      ...labelOf(port),
      type: port.type ?? results[index]?.type ?? anyType,
    })),
    widgets: ports.flatMap(({ input, widget }) =>
      widget ? [{ name: input.name, value: widget.value }] : [],
    ),
    savesByName: false,
    size: { width: 300, height: 60 + 24 * (inputs.length + outputs.length) },
    isInstalled: true,
  };
}

type FoundSlot = { slot: number; type: string };

/** The slot, or what is wrong with naming it. Without its name, of several the only one that the input takes. */
function sourceSlot(
  { node, slot }: CompactSource,
  input: string,
  frames: ReadonlyMap<NodeId, Frame>,
  scope: CompactSubgraph | undefined,
  wanted?: string,
): FoundSlot | string {
  const edge =
    node === subgraphInput ? scope?.inputs.map(({ name }) => ({ name, type: anyType })) : undefined;
  const frame = frames.get(node);
  const outputs = edge ?? frame?.outputs;
  if (!outputs) return `there is no node ${node}`;
  const names = outputs.map(({ name }) => name);
  const index =
    slotIndex(frame?.outputNames ?? names, slot, input) ??
    slotIndex(names, slot, input) ??
    (slot === undefined && wanted !== undefined ? onlyOfType(outputs, wanted) : undefined);
  if (index === undefined)
    return slot === undefined
      ? `node ${node} has several outputs (${names.join(", ")}); name one, as ${node}.${names[0]}`
      : `node ${node} has no output ${slot}; it has ${names.join(", ") || "none"}`;
  while (frame && frame.outputs.length <= index)
    frame.outputs.push({ name: `#${frame.outputs.length}`, type: anyType });
  return { slot: index, type: outputs[index]?.type ?? anyType };
}

function onlyOfType(outputs: readonly { type: string }[], wanted: string): number | undefined {
  const [only, ...others] = outputs.flatMap(({ type }, index) => (acceptsType(wanted, type) ? [index] : []));
  return others.length === 0 ? only : undefined;
}

function slotIndex(names: readonly string[], slot: string | undefined, input: string): number | undefined {
  if (slot === undefined) return plainSlot(names, input);
  const exact = names.indexOf(slot);
  if (exact >= 0) return exact;
  if (isPlace(slot)) return Number(slot.slice(1));
  const [, name = slot, place] = /^(.+)#(\d+)$/s.exec(slot) ?? [];
  const alike = names.flatMap((each, index) => (each.toLowerCase() === name.toLowerCase() ? [index] : []));
  if (alike.length === 1) return alike[0];
  return place === undefined ? undefined : Number(place);
}

/**
 * Inputs that the type does not have are added: some types grow them, and unknown ones have none. The only one, which takes
 * anything, is the one that is meant: its node calls it by what comes in. `taken` are the inputs that lines name.
 */
function inputSlot(frame: Frame, name: string, type: string, taken: Set<string>): number {
  const index = isPlace(name)
    ? Number(name.slice(1))
    : frame.inputs.findIndex((input) => input.name === name);
  if (index >= 0 && index < frame.inputs.length) return index;
  const parts = frame.inputs.flatMap((input, at) =>
    input.name.endsWith(`.${name}`) && !input.row ? [at] : [],
  );
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const inRow = rowInput(frame.inputs, name, (input) => taken.has(input));
  const meant = frame.inputs[inRow];
  if (meant) {
    taken.add(meant.name);
    return inRow;
  }
  const [only, ...others] = frame.inputs;
  if (only && others.length === 0 && only.type === anyType && only.name === anyType) {
    frame.inputs[0] = { ...only, name, type };
    return 0;
  }
  const isWidget = frame.widgets.some((widget) => widget.name === name);
  frame.inputs.push({ name, type, isWidget, isOptional: true });
  return frame.inputs.length - 1;
}

function nameOutputsOfUnknownTypes(graph: CompactGraph, frames: ReadonlyMap<NodeId, Frame>): void {
  for (const { links, id } of graph.nodes)
    for (const { input, source } of links) {
      const { outputs, isInstalled } = frames.get(source.node) ?? { outputs: [], isInstalled: true };
      if (isInstalled || isPlace(source.slot ?? "")) continue;
      if (source.slot === undefined && outputs.length === 1) continue;
      const [, name = source.slot ?? input.toUpperCase(), place] =
        /^(.+)#(\d+)$/s.exec(source.slot ?? "") ?? [];
      if (outputs.some((output) => output.name === name)) continue;
      const index = place === undefined ? outputs.length : Number(place);
      while (outputs.length <= index) outputs.push({ name: `#${outputs.length}`, type: anyType });
      const type = frames.get(id)?.inputs.find((each) => each.name === input)?.type ?? anyType;
      outputs[index] = { name, type };
    }
}

/** A primitive takes its type from what it feeds, and keeps its value only if it is saved with that type. */
function typePrimitives(
  { nodes }: CompactGraph,
  frames: ReadonlyMap<NodeId, Frame>,
  connections: readonly Connection[],
): void {
  for (const { id } of nodes.filter(({ type }) => type === "PrimitiveNode")) {
    const first = connections.find(({ origin }) => origin === id);
    const fed = first && frames.get(first.target)?.inputs[first.input];
    if (fed) frames.get(id)?.outputs.splice(0, 1, { name: fed.type, type: fed.type, widget: fed.name });
  }
  for (const connection of connections)
    connection.type = frames.get(connection.origin)?.outputs[connection.slot]?.type ?? connection.type;
}
