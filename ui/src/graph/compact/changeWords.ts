/** What became different about a workflow, in the words that models and people read. */

import { few } from "../../shared/few";
import { distanceWords } from "../distanceWords";
import type { Place } from "../graph";
import { colorWord, groupColorWord } from "../nodeColors";
import { nodePath } from "../nodePath";
import type { ChangedGraph, Changes, Difference, GroupChange, NodeChange } from "./changes";
import type { NodeType } from "./graphsMet";
import { nameWord } from "./words";
import type { CompactValue } from "./workflow";
import {
  cutMargin,
  nodeLine,
  type Reading,
  shownWord,
  sourceWord,
  subgraphWord,
  valueAssignment,
  valueText,
} from "./write";

type WhichNode = Pick<NodeChange, "places" | "node" | "type">;

const signs = { added: "+", changed: "~", removed: "-" };
const mostOthers = 3;

/**
 * `+` before a new node's line, `-` before a node that is gone, `~` before what changed of one that stays:
 * `~ 3 KSampler bypassed model<4→9 steps=20→30`. Plain ids are those of the graph at `open`. A node of a subgraph that
 * is used several times ends with its other paths: `(also 50:1)`.
 */
export function changeLines(
  changes: Changes,
  open: Place = [],
  reading: Reading = { valueLength: 200, noteLength: 80 },
): string[] {
  return [
    ...toldNodes(changes).map((change) => `${signs[change.kind]} ${changeLine(change, open, reading)}`),
    ...changes.groups.map(
      (change) => `${signs[change.kind]} ${groupName(change)}: ${groupWords(change, open)}`,
    ),
  ];
}

/** Those with a line of their own: the first lines, in this order. */
export function toldNodes({ nodes }: Changes): NodeChange[] {
  return nodes.filter(({ movedInto }) => movedInto === undefined);
}

/** `5 VAEDecode`, inside a subgraph `12:5 VAEDecode`. */
export function nodeWords(change: WhichNode, open: Place): string {
  return [pathOf(change, open), ...typeWords(change.type), ...otherPaths(change, open)].join(" ");
}

/** Behind a node's path: `KSampler steps=20→30`; of one that is new or gone its type, and the mode of a new one that is not active. */
export function whatWords(change: NodeChange, open: Place, reading: Reading): string {
  const { kind, type, after, differences } = change;
  const types = differences.find(({ of }) => of === "type");
  const told = differences.filter(
    (difference) => difference !== types && !isToldByValue(difference, differences),
  );
  return [
    ...(types ? differenceWords(types, reading) : typeWords(type)),
    ...(kind === "added" && after && after.mode !== "active" ? [after.mode] : []),
    ...told.flatMap((difference) => differenceWords(difference, reading)),
    ...tookWords(change),
    ...otherPaths(change, open),
  ].join(" ");
}

export function groupName({ title }: { title: string }): string {
  return `group ${JSON.stringify(title)}`;
}

/**
 * The nodes in it, as `3 5`; of one that changed those that came and went, as `+7 -5`, what it was called and its new
 * color.
 */
export function groupWords(change: GroupChange, open: Place): string {
  const { kind, before = [], after = [], places, formerTitle, color } = change;
  const place = placeOf(change, open);
  const ids = (sign: string, nodes: readonly string[], others: readonly string[] = []) =>
    nodes.filter((id) => !others.includes(id)).map((id) => `${sign}${nodePath(place, id, open)}`);
  const members =
    kind === "changed"
      ? [...ids("+", after, before), ...ids("-", before, after)]
      : ids("", kind === "added" ? after : before);
  const looks = [
    ...(formerTitle === undefined ? [] : [`was called ${JSON.stringify(formerTitle)}`]),
    ...(color === undefined ? [] : [`color ${groupColorWord(color)}`]),
  ];
  return [...looks, ...members, ...alsoInside(places, place, open)].join(" ");
}

/** One of the paths of the node; plain where its graph is open. */
export function pathOf(change: WhichNode, open: Place): string {
  return nodePath(placeOf(change, open), change.node, open);
}

/** The graph that is open, if the change is in it, else where its graph is met first. */
function placeOf({ places }: Pick<ChangedGraph, "places">, open: Place): Place {
  return places.find((place) => place.join() === open.join()) ?? places[0];
}

function changeLine(change: NodeChange, open: Place, reading: Reading): string {
  const path = pathOf(change, open);
  const { after, type } = change;
  if (change.kind !== "added" || !after) return `${path} ${whatWords(change, open, reading)}`;
  const line = nodeLine({ ...after, id: path }, reading, typeWords(type).join());
  return [line, ...tookWords(change), ...otherPaths(change, open)].join(" ");
}

function tookWords({ took = [] }: NodeChange): string[] {
  return took.length === 0 ? [] : [`(${took.join(" ")} moved into it)`];
}

function typeWords(type: NodeType | undefined): string[] {
  if (!type) return [];
  return [type.subgraph === undefined ? nameWord(type.id) : subgraphWord(type.subgraph)];
}

function otherPaths(change: WhichNode, open: Place): string[] {
  const at = placeOf(change, open);
  const others = change.places.filter((place) => place !== at);
  if (at.join() === open.join()) return [];
  return also(others.map((place) => nodePath(place, change.node, open)));
}

function alsoInside(places: readonly Place[], at: Place, open: Place): string[] {
  if (at.join() === open.join()) return [];
  return also(places.filter((place) => place !== at).map((place) => `inside ${place.join(":")}`));
}

function also(others: readonly string[]): string[] {
  return others.length === 0 ? [] : [`(also ${few(others, mostOthers)})`];
}

/** An input of a subgraph that is a widget came or went with its value. */
function isToldByValue(slot: Difference, differences: readonly Difference[]): boolean {
  return slot.of === "slot" && differences.some((each) => each.of === "value" && each.name === slot.name);
}

function differenceWords(difference: Difference, reading: Reading): string[] {
  switch (difference.of) {
    case "type":
      return [[difference.before, difference.after].flatMap(typeWords).join("→")];
    case "title":
      return [difference.after === undefined ? "untitled" : `titled ${JSON.stringify(difference.after)}`];
    case "mode":
      return [difference.after];
    case "color":
      return [`color ${difference.after === undefined ? "none" : colorWord(difference.after)}`];
    case "position":
      return [wayWords(difference)];
    case "link": {
      const { input, before, after } = difference;
      const sources = [before, after].flatMap((source) => (source ? [sourceWord(source)] : []));
      return [`${after ? "" : "-"}${nameWord(input)}<${sources.join("→")}`];
    }
    case "slot":
      return [`${difference.isThere ? "+" : "-"}${nameWord(difference.name)}`];
    case "value":
      return [valueWords(difference, reading.valueLength)];
    case "shown":
      return [`${difference.isThere ? "" : "-"}${shownWord(difference.path)}`];
    default:
      return difference satisfies never;
  }
}

/** `moved 120 px right and 400 px down`. */
export function wayWords({ before, after }: Difference & { of: "position" }): string {
  const by = { x: after.x - before.x, y: after.y - before.y };
  return ["moved", distanceWords(by)].filter(Boolean).join(" ");
}

/** A widget that is new has no value before, and of one that is gone only the name is told. */
function valueWords(
  { name, before, after }: Difference & { of: "value" },
  length = Number.POSITIVE_INFINITY,
): string {
  if (!after) return `-${nameWord(name)}`;
  if (!before) return `+${valueAssignment(after, length)}`;
  const isLong = (valueText(before) + valueText(after)).length > length + arrowMargin;
  return isLong
    ? `${nameWord(name)}→${newPart(before, after, length)}`
    : `${nameWord(name)}=${valueText(before, length)}→${valueText(after, length)}`;
}

/** Leaving out a value that is hardly too long would save nothing. */
const arrowMargin = 20;

/** Where two values have no room, it is the new one that counts: of a long text, from where it differs if that is late. */
function newPart(before: CompactValue, after: CompactValue, length: number): string {
  const [was, is] = [before.value, after.value];
  if (typeof was !== "string" || typeof is !== "string" || is.length <= length + cutMargin)
    return valueText(after, length);
  const first = firstDifference(was, is);
  const start = first < length / 2 ? 0 : Math.max(0, Math.min(first - 20, is.length - length));
  const end = start + length;
  return `${start > 0 ? "…" : ""}${JSON.stringify(is.slice(start, end))}${end < is.length ? "…" : ""}`;
}

function firstDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  return index;
}
