/** Links that no wire draws: node packs add them when the prompt is made, such as broadcasts to every open input. */

import {
  findNode,
  type Graph,
  type GraphNode,
  type LinkSource,
  type NodeId,
  type Place,
  subgraphInput,
} from "./graph";
import { nodePath } from "./nodePath";
import { linkedNode, type PromptNodes } from "./prompt";

export interface UnwiredLink {
  /** The graph of the input. */
  place: Place;
  node: NodeId;
  input: string;
  /** In the same graph, or by its path. */
  source: NodeId;
  output: number;
  /** The names of all outputs of the source. */
  outputs: readonly string[];
  /** The node that hands it on, where just one can be. */
  via?: NodeId;
}

/** What packs make of the graph for a run. */
export interface Unwired {
  links: readonly UnwiredLink[];
  /** What a run would get; only where a pack takes part in making it. */
  prompt?: PromptNodes;
}

export interface PlacedGraph {
  place: Place;
  graph: Graph;
}

/** Those inputs that no wire leads to, although ComfyUI would run their nodes with a link. */
export function unwiredLinks(
  placed: readonly PlacedGraph[],
  prompt: PromptNodes,
  isOutput: (type: string) => boolean,
): UnwiredLink[] {
  const graphs = new Map(placed.map(({ place, graph }) => [place.join(":"), graph]));
  const run: Run = { prompt, graphs, isOutput };
  const found = new Map<string, UnwiredLink>();
  for (const { place, graph } of placed)
    for (const node of graph.nodes)
      for (const { name } of node.inputs) {
        const value = prompt[runId(place, node.id)]?.inputs[name];
        const source = linkedNode(value);
        const output = Array.isArray(value) ? Number(value[1]) : 0;
        const input = source !== undefined && prompt[source] && openInput(run, place, node, name);
        if (input)
          found.set(inputKey(input), { ...input, ...sourceIn(run, input.place, `${source}`, output) });
      }
  return [...found.values()];
}

export function inputKey({ place, node, input }: Pick<UnwiredLink, "place" | "node" | "input">): string {
  return `${runId(place, node)}.${input}`;
}

interface Run {
  prompt: PromptNodes;
  graphs: ReadonlyMap<string, Graph>;
  isOutput(type: string): boolean;
}

const longestWay = 100;

function runId(place: Place, id: NodeId): NodeId {
  return [...place, id].join(":");
}

/** The input itself, or that of the subgraph's node which feeds it. */
function openInput(
  run: Run,
  place: Place,
  node: GraphNode,
  name: string,
): Pick<UnwiredLink, "place" | "node" | "input"> | undefined {
  const from = node.inputs.find((input) => input.name === name)?.linkedFrom;
  if (!from) return { place, node: node.id, input: name };
  const instance = from.node === subgraphInput ? around(run, place) : undefined;
  return instance && openInput(run, place.slice(0, -1), instance, from.name);
}

/** The node that stands for the subgraph in which this graph lies. */
function around({ graphs }: Run, place: Place): GraphNode | undefined {
  const outer = graphs.get(place.slice(0, -1).join(":"));
  return place.length === 0 || !outer ? undefined : findNode(outer, place.at(-1) ?? "");
}

/** As it is seen from the input's graph, best by the wire into what hands it on. */
function sourceIn(
  run: Run,
  place: Place,
  source: NodeId,
  output: number,
): Pick<UnwiredLink, "source" | "output" | "outputs" | "via"> {
  const graph = run.graphs.get(place.join(":"));
  const wires = (graph?.nodes ?? [])
    .filter(({ mode, type, outputs }) => mode === "active" && outputs.length === 0 && !run.isOutput(type))
    .flatMap(({ id, inputs }) => inputs.flatMap(({ linkedFrom }) => (linkedFrom ? [{ id, linkedFrom }] : [])))
    .filter(({ linkedFrom }) => originOf(run, place, linkedFrom) === `${source} ${output}`);
  const [only, ...others] = wires;
  const named = (node: NodeId, index: number, outputs: readonly { name: string }[] = []) => ({
    ...{ source: node, output: index, outputs: outputs.map(({ name }) => name) },
    ...(only && others.length === 0 && { via: only.id }),
  });
  if (only && graph) {
    const { node, output: index } = only.linkedFrom;
    const edge = graph.scope.kind === "subgraph" ? graph.scope.inputs : undefined;
    return named(node, index, node === subgraphInput ? edge : findNode(graph, node)?.outputs);
  }
  const [there, id] = [source.split(":").slice(0, -1), source.split(":").at(-1) ?? ""];
  const outputs = findNode(run.graphs.get(there.join(":")) ?? { nodes: [] }, id)?.outputs;
  return named(nodePath(there, id, place), output, outputs);
}

/** The output of a node that runs, as `7:3 0`, at the other end of this wire. */
function originOf(
  run: Run,
  place: Place,
  { node: id, output, name }: LinkSource,
  step = 0,
): string | undefined {
  const on = (at: Place, link: LinkSource | undefined) =>
    link && step < longestWay ? originOf(run, at, link, step + 1) : undefined;
  const input = ({ inputs }: GraphNode) => inputs.find((each) => each.name === name);
  if (id === subgraphInput) {
    const instance = around(run, place);
    return instance && on(place.slice(0, -1), input(instance)?.linkedFrom);
  }
  if (run.prompt[runId(place, id)]) return `${runId(place, id)} ${output}`;
  const graph = run.graphs.get(place.join(":"));
  const node = graph && findNode(graph, id);
  if (node?.subgraph) {
    const inside = [...place, id];
    const scope = run.graphs.get(inside.join(":"))?.scope;
    return on(inside, scope?.kind === "subgraph" ? scope.outputs[output]?.linkedFrom : undefined);
  }
  const [only, ...others] = (node?.inputs ?? []).flatMap(({ linkedFrom }) => linkedFrom ?? []);
  return others.length === 0 ? on(place, only) : undefined;
}
