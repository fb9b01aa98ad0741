/** One change of a saved workflow taken back from what it has become since: what others changed meanwhile stays. */

import { isObject } from "../shared/json";
import {
  type Change,
  counters,
  type Entries,
  isAnotherType,
  isPlain,
  isSame,
  keyed,
  layout,
  places,
} from "./sameState";
import { inputEdgeId, linkObject, outputEdgeId, type UiGraph, type UiWorkflow } from "./uiWorkflow";

export interface TakenBack {
  state: unknown;
  /** What was changed since as well, so that nobody can say which of both is meant. Nothing may be taken back then. */
  inTheWay: string[];
}

export function takeBack({ before, after }: Change, now: unknown): TakenBack {
  const inTheWay = new Set<string>();
  const state = merged(after, before, now, { name: "the workflow", inTheWay });
  if (inTheWay.size === 0 && state !== before && isGraph(state)) {
    // Some files list links of nodes that are long gone, which nobody has drawn since either.
    const known = new Set([...linkIds(after), ...linkIds(before)]);
    const subgraphs = (state as UiWorkflow).definitions?.subgraphs ?? [];
    for (const graph of [state, ...subgraphs.filter(isGraph)]) joinLinks(graph, known, inTheWay);
  }
  return { state, inTheWay: [...inTheWay] };
}

/** What the page may finish of a node; links are in a list of their own, values in one without the names of buttons. */
const finishings = new Set([...places, "inputs", "outputs", "widgets_values_named"]);
/** A page that was loaded anew writes no title any more that is the subgraph's own. */
const finishingsOfTitle = new Set([...finishings, "title"]);

interface Where {
  name: string;
  inTheWay: Set<string>;
}

/** What leads from `base` to `target`, done to `now`. */
function merged(base: unknown, target: unknown, now: unknown, where: Where, key = ""): unknown {
  if (isSame(base, target)) return now;
  if (isSame(now, base)) return target;
  if (isSame(now, target) || places.has(key)) return now;
  if (counters.test(key)) return Math.max(Number(now), Number(target));
  const lists = [base, target, now].map(keyed);
  const [from, to, is] = lists;
  if (from && to && is) return [...mergedEntries(from, to, is, where).values()];
  if (Array.isArray(base) && Array.isArray(target) && Array.isArray(now)) {
    if (base.length === target.length && base.length === now.length)
      return now.map((each, index) => merged(base[index], target[index], each, where));
  } else if (isObject(base) && isObject(target) && isObject(now)) {
    const entries = [base, target, now].map((each) => new Map(Object.entries(each)));
    const [f, t, n] = entries as [Entries, Entries, Entries];
    return Object.fromEntries(mergedEntries(f, t, n, where));
  }
  where.inTheWay.add(where.name);
  return now;
}

function mergedEntries(base: Entries, target: Entries, now: Entries, where: Where): Entries {
  const result = new Map(now);
  for (const key of new Set([...base.keys(), ...target.keys()])) {
    const [from, to, is] = [base.get(key), target.get(key), now.get(key)];
    if (layout.has(key) || isSame(from, to)) continue;
    const inside = { ...where, name: nameOf(is ?? from ?? to) ?? where.name };
    const isGone = is === undefined && from !== undefined && !isPlain(from);
    const may = isObject(is) && is.title === undefined ? finishingsOfTitle : finishings;
    const isUntouched = isSame(is, from, may) && !isPlain(from);
    const isTakenAway = isGone || (to === undefined && isUntouched);
    // What the page has finished of a node is taken back with it, where another has its id again.
    const unfinished = isUntouched && isAnotherType(from, to) ? Object.assign({}, is, from) : is;
    const value = isTakenAway ? undefined : merged(from, to, unfinished, inside, key);
    if (value === undefined) result.delete(key);
    else result.set(key, value);
  }
  return result;
}

function nameOf(value: unknown): string | undefined {
  if (!isObject(value)) return undefined;
  if ("bounding" in value) return `group “${value.title}”`;
  return "id" in value && "type" in value ? `${value.id} ${value.title || value.type}` : undefined;
}

/** Slots are told anew by the links that are left. A link that someone drew since to what goes away is in the way. */
function joinLinks(graph: UiGraph, known: ReadonlySet<string>, inTheWay: Set<string>): void {
  const ids = new Set([...graph.nodes.map(({ id }) => String(id)), inputEdgeId, outputEdgeId]);
  const isThere = (link: UiGraph["links"][number]) => {
    const { origin_id, target_id } = linkObject(link);
    return ids.has(String(origin_id)) && ids.has(String(target_id));
  };
  for (const link of graph.links.filter((each) => !isThere(each)).map(linkObject))
    if (!known.has(String(link.id))) inTheWay.add(`the link from ${link.origin_id} to ${link.target_id}`);
  graph.links = graph.links.filter(isThere);
  const links = graph.links.map(linkObject);
  const from = Map.groupBy(links, (link) => slotKey(link.origin_id, link.origin_slot));
  const to = Map.groupBy(links, (link) => slotKey(link.target_id, link.target_slot));
  const out = (id: unknown, slot: number) => (from.get(slotKey(id, slot)) ?? []).map((link) => link.id);
  const into = (id: unknown, slot: number) => (to.get(slotKey(id, slot)) ?? []).map((link) => link.id);
  graph.nodes = graph.nodes.map((node) => ({
    ...node,
    ...(node.inputs && {
      inputs: node.inputs.map((input, slot) => {
        const [link = null, second] = into(node.id, slot);
        if (second !== undefined) inTheWay.add(nameOf(node) ?? String(node.id));
        return { ...input, link };
      }),
    }),
    ...(node.outputs && {
      outputs: node.outputs.map((output, slot) => ({ ...output, links: out(node.id, slot) })),
    }),
  }));
  const { inputs, outputs } = graph as { inputs?: object[]; outputs?: object[] };
  if (inputs)
    Object.assign(graph, {
      inputs: inputs.map((each, slot) => ({ ...each, linkIds: out(inputEdgeId, slot) })),
    });
  if (outputs)
    Object.assign(graph, {
      outputs: outputs.map((each, slot) => ({ ...each, linkIds: into(outputEdgeId, slot) })),
    });
}

function slotKey(node: unknown, slot: number): string {
  return `${node} ${slot}`;
}

function linkIds(state: unknown): Set<string> {
  const { links = [], definitions } = state as UiWorkflow;
  const inner = definitions?.subgraphs?.flatMap((each) => each.links ?? []) ?? [];
  return new Set([...links, ...inner].map((link) => String(linkObject(link).id)));
}

function isGraph(value: unknown): value is UiGraph {
  return isObject(value) && Array.isArray(value.nodes) && Array.isArray(value.links);
}
