/** What became different between two readings of a workflow, as lines for a model and a person. */

import { nameWord } from "./words";
import {
  type CompactGraph,
  type CompactNode,
  type CompactValue,
  type CompactWorkflow,
  instancePaths,
  scopes,
} from "./workflow";
import { groupLine, linkWord, nodeLine, type Reading, valueAssignment } from "./write";

/**
 * `+` before a new node's line, `-` before a node that is gone, `~` before what changed of one that stays:
 * `~ 3 KSampler steps=20→30 model<4→<9 bypassed`. Nodes inside subgraphs go by their path, such as `7:9`.
 */
export function describeChanges(
  before: CompactWorkflow,
  after: CompactWorkflow,
  reading: Reading = { valueLength: 200, noteLength: 80 },
): string[] {
  const earlier = new Map(scopes(before).map(({ key, graph }) => [key, graph]));
  const later = new Map(scopes(after).map(({ key, graph }) => [key, graph]));
  const [pathsBefore, pathsAfter] = [instancePaths(before), instancePaths(after)];
  const place = (key: string | undefined) => {
    const path = key === undefined ? undefined : (pathsAfter.get(key)?.[0] ?? pathsBefore.get(key)?.[0]);
    return path === undefined ? "" : `${path}:`;
  };
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((key) =>
    graphChanges(earlier.get(key), later.get(key), place(key), reading),
  );
}

const empty: CompactGraph = { nodes: [], groups: [] };

function graphChanges(
  before: CompactGraph = empty,
  after: CompactGraph = empty,
  place: string,
  reading: Reading,
): string[] {
  const [earlier, later] = [byId(before), byId(after)];
  return [
    ...before.nodes.filter(({ id }) => !later.has(id)).map(({ id, type }) => `- ${place}${id} ${type}`),
    ...after.nodes.flatMap((node) => {
      const was = earlier.get(node.id);
      if (!was) return [`+ ${place}${nodeLine(node, reading)}`];
      if (was.type !== node.type)
        return [`- ${place}${was.id} ${was.type}`, `+ ${place}${nodeLine(node, reading)}`];
      const words = nodeChanges(was, node, reading);
      return words.length === 0 ? [] : [`~ ${place}${node.id} ${node.type} ${words.join(" ")}`];
    }),
    ...groupChanges(before, after),
  ];
}

function nodeChanges(was: CompactNode, is: CompactNode, reading: Reading): string[] {
  const [linksBefore, linksAfter] = [linkWords(was), linkWords(is)];
  const [valuesBefore, valuesAfter] = [valuesByName(was), valuesByName(is)];
  return [
    ...(was.title === is.title
      ? []
      : [is.title === undefined ? "untitled" : `titled ${JSON.stringify(is.title)}`]),
    ...(was.mode === is.mode ? [] : [is.mode]),
    ...[...linksBefore].filter(([input]) => !linksAfter.has(input)).map(([, word]) => `-${word}`),
    ...[...linksAfter]
      .filter(([input, word]) => linksBefore.get(input) !== word)
      .map(([input, word]) => changed(linksBefore.get(input), word, "<")),
    ...[...valuesBefore.keys()]
      .filter((name) => !valuesAfter.has(name))
      .map((name) => `${nameWord(name)}=default`),
    ...[...valuesAfter]
      .filter(
        ([name, value]) => JSON.stringify(valuesBefore.get(name)?.value) !== JSON.stringify(value.value),
      )
      .map(([name, value]) => changedValue(valuesBefore.get(name), value, reading.valueLength)),
    ...was.shown.filter((path) => !is.shown.includes(path)).map((path) => `-^${path}`),
    ...is.shown.filter((path) => !was.shown.includes(path)).map((path) => `^${path}`),
  ];
}

/** Of long texts, only where they begin to differ is told. */
function changedValue(
  before: CompactValue | undefined,
  after: CompactValue,
  length = Number.POSITIVE_INFINITY,
): string {
  const [was, is] = [before?.value, after.value];
  if (typeof was === "string" && typeof is === "string" && Math.max(was.length, is.length) > length) {
    const start = Math.max(0, firstDifference(was, is) - 20);
    return `${nameWord(after.name)}=${excerpt(was, start, length)}→${excerpt(is, start, length)}`;
  }
  const word = (value: CompactValue) => valueAssignment(value, length);
  return changed(before && word(before), word(after), "=");
}

function firstDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  return index;
}

function excerpt(text: string, start: number, length: number): string {
  const end = start + length / 2;
  return `${start > 0 ? "…" : ""}${JSON.stringify(text.slice(start, end))}${end < text.length ? "…" : ""}`;
}

/** `steps=20` and `steps=30` make `steps=20→30`. */
function changed(before: string | undefined, after: string, sign: "<" | "="): string {
  return before === undefined
    ? after
    : `${before}→${after.slice(after.indexOf(sign) + (sign === "=" ? 1 : 0))}`;
}

function groupChanges(before: CompactGraph, after: CompactGraph): string[] {
  const [earlier, later] = [before.groups.map(groupLine), after.groups.map(groupLine)];
  return [
    ...earlier.filter((line) => !later.includes(line)).map((line) => `- ${line}`),
    ...later.filter((line) => !earlier.includes(line)).map((line) => `+ ${line}`),
  ];
}

function linkWords(node: CompactNode): Map<string, string> {
  return new Map(node.links.map((link) => [link.input, linkWord(link)]));
}

function valuesByName(node: CompactNode): Map<string, CompactValue> {
  return new Map(node.values.map((value) => [value.name, value]));
}

function byId(graph: CompactGraph): Map<string, CompactNode> {
  return new Map(graph.nodes.map((node) => [node.id, node]));
}
