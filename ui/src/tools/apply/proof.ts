/** What was built, held against what was meant: nothing that the lines leave alone may be run otherwise. */

import type { Comfy } from "../../comfy/bridge";
import { type CompactNode, type CompactWorkflow, instancePaths, scopes } from "../../graph/compact/workflow";
import type { Json, NodeId } from "../../graph/graph";
import { linkedNode, type PromptNodes } from "../../graph/prompt";
import { type PromptDifference, promptDifferences } from "../../graph/promptDifferences";

/** What a run would execute; undefined where the page cannot make it, as of a broken graph. */
export async function promptNow(comfy: Comfy): Promise<PromptNodes | undefined> {
  try {
    return (await comfy.queue.prompt()).nodes;
  } catch {
    return undefined;
  }
}

/**
 * What is run otherwise than before, although the lines say nothing else of it. What ComfyUI makes anew each time, such as
 * random values, is left out.
 */
export async function unasked(
  comfy: Comfy,
  before: PromptNodes,
  touched: Touched,
): Promise<PromptDifference[]> {
  const after = (await promptNow(comfy)) ?? {};
  const isTouched = (run: NodeId | undefined) => run?.split(":").some((id) => touched.has(id));
  const runs = new Set([...Object.keys(before), ...Object.keys(after)].flatMap((run) => run.split(":")));
  const handsOn = [...touched.keys()].some((id) => !runs.has(id));
  const found = promptDifferences(before, after).filter((difference) => {
    const sources = [linkedNode(difference.before), linkedNode(difference.after)];
    if (sources.some((source) => source !== undefined))
      return !handsOn && ![difference.node, ...sources].some(isTouched);
    return !isTouched(difference.node) || isLeftAlone(difference, touched);
  });
  if (found.length === 0) return [];
  const moving = new Set(promptDifferences(after, (await promptNow(comfy)) ?? after).map(placeOf));
  return found.filter((difference) => !moving.has(placeOf(difference)));
}

/** A value of a node that the lines change elsewhere. */
function isLeftAlone({ node, input = "", before, after }: PromptDifference, touched: Touched): boolean {
  const isThere = before !== undefined && after !== undefined;
  return isThere && (touched.get(node.split(":").at(-1) ?? "")?.has(input) ?? false);
}

function placeOf({ node, input }: PromptDifference): string {
  return `${node}.${input}`;
}

/** Nodes of which the lines say something else than the reading did, by id, each with the values that stay the same. */
export type Touched = ReadonlyMap<NodeId, ReadonlySet<string>>;

export function touchedBy(written: CompactWorkflow, before: CompactWorkflow): Touched {
  const earlier = nodesByPlace(before);
  const later = nodesByPlace(written);
  const touched = new Map<NodeId, ReadonlySet<string>>();
  for (const place of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, is] = [earlier.get(place), later.get(place)];
    if (!was || !is) touched.set((was ?? is)?.id ?? "", new Set());
    else if (!isSame(was, is)) touched.set(is.id, was.type === is.type ? sameValues(was, is) : new Set());
  }
  return touched;
}

function sameValues(was: CompactNode, is: CompactNode): ReadonlySet<string> {
  const told = new Map(is.values.map(pair));
  const same = was.values.filter((value) => told.get(value.name) === pair(value)[1]);
  const usual = (was.unwritten?.usual ?? []).filter(({ name }) => !told.has(name));
  return new Set([...same, ...usual].map(({ name }) => name));
}

function nodesByPlace(workflow: CompactWorkflow): Map<string, CompactNode> {
  return new Map(
    scopes(workflow).flatMap(({ key, graph }) =>
      graph.nodes.map((node): [string, CompactNode] => [`${key ?? ""} ${node.id}`, node]),
    ),
  );
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

/** Inputs that are linked in the lines, from nodes that are active, and that get nothing when it is run: `3.image`. */
export function unfed(written: CompactWorkflow, prompt: PromptNodes): string[] {
  const paths = instancePaths(written);
  return scopes(written).flatMap(({ key, graph }) => {
    const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    const prefixes = key === undefined ? [""] : (paths.get(key) ?? []).map((path) => `${path}:`);
    return graph.nodes.flatMap(({ id, links }) =>
      links.flatMap(({ input, source }) =>
        nodes.get(source.node)?.mode !== "active"
          ? []
          : prefixes
              .map((prefix) => `${prefix}${id}`)
              .filter((run) => prompt[run] && prompt[run].inputs[input] === undefined)
              .map((run) => `${run}.${input}`),
      ),
    );
  });
}
