/** What was asked for between two forms of a workflow, and which differences of their prompts follow from it. */

import type { Json, NodeId } from "../graph";
import { linkedNode, type PromptNodes } from "../prompt";
import type { PromptDifference } from "../promptDifferences";
import { type PlacedNode, type PlacedNodes, placedNodes, wayTo } from "./ways";
import type { CompactNode, CompactWorkflow } from "./workflow";

/** What the lines, or what was put beside, say otherwise than what was open. */
export interface Asked {
  before: CompactWorkflow;
  /** As it is meant to be: where nothing of what was open is meant to change, `before` itself. */
  written: CompactWorkflow;
  touched: Touched;
}

/** Whether a difference follows from what was touched: the node itself, or what stands on the way into the input. */
export function askedFor(
  { before, written, touched }: Asked,
  was: PromptNodes,
  is: PromptNodes,
): (difference: PromptDifference) => boolean {
  const [earlier, later] = [placedNodes(before), placedNodes(written)];
  const isWithin = (run: NodeId) => pathsTo(run).some((path) => touched.has(path));
  const handsOn = [...touched.keys()].some((run) => !was[run] && !is[run] && isLinked(run, earlier, later));
  return (difference) => {
    const { node, input } = difference;
    if (input === undefined) return isWithin(node);
    const [old, fresh] = [wayTo(before, earlier, was, node, input), wayTo(written, later, is, node, input)];
    const hasWay = old.steps.length + fresh.steps.length > 0;
    const isOnWay = [...old.nodes, ...fresh.nodes].some((run) => touched.has(run));
    if (isOnWay || old.steps.join() !== fresh.steps.join()) return true;
    const sources = [linkedNode(difference.before), linkedNode(difference.after)];
    const isLink = sources.some((source) => source !== undefined);
    if (!isLink) return touched.has(node) ? !isLeftAlone(difference, touched) : isWithin(node);
    if (touched.has(node)) return !hasWay || sources.includes(undefined);
    // Without a wire a pack decides, by what it has heard of.
    return !hasWay && (handsOn || sources.some((source) => source !== undefined && isWithin(source)));
  };
}

/** The node of a run and those of the subgraphs around it. */
function pathsTo(run: NodeId): NodeId[] {
  const ids = run.split(":");
  return ids.map((_, index) => ids.slice(0, index + 1).join(":"));
}

/** A note is linked with nothing. */
function isLinked(run: NodeId, ...readings: PlacedNodes[]): boolean {
  return readings.some((placed) => {
    const found = placed.get(run);
    const isSource = ({ node, around }: PlacedNode) =>
      around === found?.around && node.links.some(({ source }) => source.node === found?.node.id);
    return found !== undefined && (found.node.links.length > 0 || [...placed.values()].some(isSource));
  });
}

/** A value of a node that the lines change elsewhere. */
function isLeftAlone({ node, input = "", before, after }: PromptDifference, touched: Touched): boolean {
  const isThere = before !== undefined && after !== undefined;
  return isThere && (touched.get(node)?.has(input) ?? false);
}

/** Nodes of which the lines say something else than the reading did, by run id, each with the values that stay the same. */
export type Touched = ReadonlyMap<NodeId, ReadonlySet<string>>;

export function touchedBy(written: CompactWorkflow, before: CompactWorkflow): Touched {
  const [earlier, later] = [placedNodes(before), placedNodes(written)];
  const touched = new Map<NodeId, ReadonlySet<string>>();
  for (const run of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, is] = [earlier.get(run)?.node, later.get(run)?.node];
    if (!was || !is) touched.set(run, new Set());
    else if (!isSame(was, is)) touched.set(run, was.type === is.type ? sameValues(was, is) : new Set());
  }
  return touched;
}

/** What came to an open workflow, and nothing else. */
export function touchedBeside(now: CompactWorkflow, before: CompactWorkflow): Touched {
  const earlier = placedNodes(before);
  return new Map(
    [...placedNodes(now).keys()].flatMap((run) => (earlier.has(run) ? [] : [[run, new Set<string>()]])),
  );
}

function sameValues(was: CompactNode, is: CompactNode): ReadonlySet<string> {
  const told = new Map(is.values.map(pair));
  const same = was.values.filter((value) => told.get(value.name) === pair(value)[1]);
  const usual = (was.unwritten?.usual ?? []).filter(({ name }) => !told.has(name));
  return new Set([...same, ...usual].map(({ name }) => name));
}

function isSame(was: CompactNode, is: CompactNode): boolean {
  const known = new Map(
    [...(was.unwritten?.usual ?? []), ...(was.unwritten?.fed ?? []), ...was.values].map(pair),
  );
  const told = new Map(is.values.map(pair));
  return (
    was.type === is.type &&
    was.mode === is.mode &&
    was.shown.join("\n") === is.shown.join("\n") &&
    linksOf(was) === linksOf(is) &&
    was.values.every(({ name }) => told.has(name)) &&
    [...told].every(([name, value]) => known.get(name) === value)
  );
}

function pair({ name, value }: { name: string; value: Json }): [string, string] {
  return [name, JSON.stringify(value)];
}

function linksOf({ links }: CompactNode): string {
  const wires = links.filter(({ unwired }) => !unwired);
  return wires
    .map(({ input, source }) => `${input}<${source.node}.${source.slot}`)
    .sort()
    .join("\n");
}
