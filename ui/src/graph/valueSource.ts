/** Where the value of a widget comes from while a link feeds it. */

import {
  findNode,
  type Graph,
  type GraphNode,
  type LinkSource,
  type NodeId,
  type Place,
  subgraphInput,
} from "./graph";
import { handedOn } from "./handedOn";
import { nodePath } from "./nodePath";
import type { UnwiredLink } from "./unwired";

export interface ValueSource {
  /** Outputs, and slots of subgraph nodes, from the widget backwards: `75.steps`, `103.INT`. */
  from: readonly [string, ...string[]];
  /** The widget that decides the value, such as `103.value`; undefined where none alone does. */
  widget?: string;
  /** No wire leads from there: the node that hands it on, or nothing where that is not known. */
  unwired?: string;
}

interface Graphs {
  at(place: Place): Graph;
  /** To which plain ids belong. */
  open: Place;
  /** What feeds an input to which no wire leads. */
  unwired?(place: Place, node: GraphNode, input: string): UnwiredLink | undefined;
}

/** Undefined where the widget's own value counts: without a link, and where nothing comes out of one. */
export function valueSource(
  graphs: Graphs,
  place: Place,
  node: GraphNode,
  widget: string,
): ValueSource | undefined {
  const link = node.inputs.find(({ name }) => name === widget)?.linkedFrom;
  if (link) return behind(graphs, place, link, 0);
  const fed = graphs.unwired?.(place, node, widget);
  return fed && withoutWire(graphs, place, fed);
}

/** By what hands it on, where that is known: there the value can be kept from the widget. */
function withoutWire(graphs: Graphs, place: Place, fed: UnwiredLink): ValueSource | undefined {
  const name = fed.outputs[fed.output] ?? String(fed.output);
  const source = behind(graphs, place, { node: fed.source, output: fed.output, name }, 0) ?? {
    from: [`${fed.source}.${name}`],
  };
  const via = fed.via === undefined ? "" : nodePath(place, fed.via, graphs.open);
  return { ...source, unwired: via };
}

/** Nodes that hand on what they get. */
const passing: ReadonlySet<string> = new Set(["Reroute"]);
/** Links that run in a circle end somewhere. */
const longestWay = 100;

function behind(graphs: Graphs, place: Place, link: LinkSource, step: number): ValueSource | undefined {
  if (step > longestWay) return undefined;
  if (link.node === subgraphInput) return outside(graphs, place, link.name, step);
  const node = findNode(graphs.at(place), link.node);
  if (!node || node.mode === "muted") return undefined;
  const here = `${nodePath(place, node.id, graphs.open)}.${link.name}`;
  const next = (next: LinkSource | undefined, at: Place) =>
    before(here, next && behind(graphs, at, next, step + 1));
  if (passing.has(node.type)) return next(node.inputs[0]?.linkedFrom, place);
  const [followed, ...more] = node.follows ?? [];
  if (followed !== undefined && more.length === 0)
    return before(here, handedIn(graphs, place, followed, step));
  if (node.mode === "bypassed") return next(handedOn(node, link.output)?.linkedFrom, place);
  if (node.subgraph) {
    const inside = [...place, node.id];
    const { scope } = graphs.at(inside);
    return next(scope.kind === "subgraph" ? scope.outputs[link.output]?.linkedFrom : undefined, inside);
  }
  const [only, ...others] = widgetsOf(node);
  const path = nodePath(place, node.id, graphs.open);
  const isDecided = only && others.length === 0 && node.inputs.every(({ linkedFrom }) => !linkedFrom);
  return { from: [here], ...(isDecided && { widget: `${path}.${only.name}` }) };
}

/**
 * The widgets by which a node makes its value where none alone decides it, and those behind its links that do alone:
 * `11.string_a`.
 */
export function partsOf(graphs: Graphs, place: Place, link: LinkSource): string[] {
  const node = findNode(graphs.at(place), link.node);
  if (!node) return [];
  return widgetsOf(node).flatMap(({ name }) => {
    const fed = node.inputs.find((input) => input.name === name)?.linkedFrom;
    if (!fed) return `${nodePath(place, node.id, graphs.open)}.${name}`;
    return behind(graphs, place, fed, 0)?.widget ?? [];
  });
}

function widgetsOf({ widgets }: GraphNode): GraphNode["widgets"][number][] {
  return widgets.filter((widget) => !isControl(widget));
}

/** What becomes of a value after a run. A page of 1.49 calls it by its usual choice where the type declares one. */
function isControl({ name, choices }: GraphNode["widgets"][number]): boolean {
  return name === "control_after_generate" || seedControls.every((control) => choices?.includes(control));
}

export const seedControls = ["fixed", "increment", "decrement", "randomize"];

/** What the counterpart of a pair gets by its one wire, and hands on without one. */
function handedIn(graphs: Graphs, place: Place, id: NodeId, step: number): ValueSource | undefined {
  const links = findNode(graphs.at(place), id)?.inputs.flatMap(({ linkedFrom }) => linkedFrom ?? []) ?? [];
  const [only, ...others] = links;
  return only && others.length === 0
    ? before(nodePath(place, id, graphs.open), behind(graphs, place, only, step + 1))
    : undefined;
}

/** What the node of a subgraph gives to one of its inputs. */
function outside(graphs: Graphs, place: Place, name: string, step: number): ValueSource | undefined {
  const id = place.at(-1);
  if (id === undefined) return undefined;
  const around = place.slice(0, -1);
  const node = findNode(graphs.at(around), id);
  const here = `${nodePath(around, id, graphs.open)}.${name}`;
  const link = node?.inputs.find((input) => input.name === name)?.linkedFrom;
  const source = link && before(here, behind(graphs, around, link, step + 1));
  if (source) return source;
  return node?.widgets.some((widget) => widget.name === name) ? { from: [here], widget: here } : undefined;
}

function before(here: string, source: ValueSource | undefined): ValueSource | undefined {
  return source && { ...source, from: [here, ...source.from] };
}
