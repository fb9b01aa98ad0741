/** The texts that a node of a prompt is given: written ones, however deep they stand, and those that links bring. */

import type { Comfy, NodeDefinition } from "../../comfy/bridge";
import type { Json, NodeId } from "../../graph/graph";
import { linkedNode, type PromptNode, type PromptNodes } from "../../graph/prompt";
import { parseJson } from "../../shared/json";
import { textsIn } from "../edit/writtenTexts";
import { takesText, textSources } from "./textSources";

export interface GivenText {
  input: string;
  /** A text, or the link that brings one. */
  value: Json;
  /** Of a link, what it may bring: the one text behind it, or several joined, and what leads elsewhere in each. */
  texts: readonly string[];
}

/** Texts nested in each other as JSON are read so many deep. */
const deepest = 4;

/** A part of a text that leads elsewhere whatever stands before it; "/" alone does not. */
const begun = /^(?:~[/\\]|[a-z]:[/\\]|\\\\|[a-z][a-z0-9+.-]+:\/\/)|(?:^|[/\\])\.\.[/\\]/i;
/** Nodes that may take the beginning away, and what then is left. */
const cutting = /replace|substring|regex|split|extract|slice|trim|format/i;
const within =
  /(?:\/(?:etc|home|root|users|var|opt|usr|mnt|media|tmp|proc|sys|srv|dev|run|volumes)\/|\b[a-z]:[/\\]|\\\\\w|[a-z][a-z0-9+.-]+:\/\/).*/i;

export function givenTexts(comfy: Comfy, nodes: PromptNodes, id: NodeId): GivenText[] {
  const node = nodes[id];
  const definition = node && comfy.nodeDefinition(node.class_type);
  return Object.entries(node?.inputs ?? {}).flatMap(([input, value]) =>
    textsOf(comfy, nodes, definition, input, value),
  );
}

function textsOf(
  comfy: Comfy,
  nodes: PromptNodes,
  definition: NodeDefinition | undefined,
  input: string,
  value: Json,
  depth = 0,
): GivenText[] {
  const within = (name: string, each: Json, down = depth) =>
    textsOf(comfy, nodes, undefined, name, each, down);
  if (typeof value === "string") {
    const parsed = depth < deepest ? jsonIn(value) : undefined;
    return [{ input, value, texts: [] }, ...(parsed === undefined ? [] : within(input, parsed, depth + 1))];
  }
  const source = linkedNode(value);
  if (source !== undefined)
    return takesText(definition, input) ? [{ input, value, texts: textsBehind(comfy, nodes, source) }] : [];
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((each) => within(input, each));
  return Object.entries(value).flatMap(([name, each]) =>
    name === "__value__" ? within(input, each) : [{ input, value: name, texts: [] }, ...within(name, each)],
  );
}

/** Through all nodes that make a text of others. */
function textsBehind(comfy: Comfy, nodes: PromptNodes, source: NodeId): string[] {
  const behind = new Set([source]);
  for (const id of behind) {
    const node = nodes[id];
    if (node) for (const each of textSources(node, comfy.nodeDefinition(node.class_type))) behind.add(each);
  }
  const made = [...behind].flatMap((id) => nodes[id] ?? []);
  const texts = made.map(({ inputs }) =>
    Object.values(inputs).flatMap((value) => (linkedNode(value) === undefined ? textsIn(value) : [])),
  );
  const parts = [...texts.flat(), ...made.flatMap(({ inputs }) => replacedIn(inputs))];
  if (parts.length < 2) return parts;
  const isCut = made.some(({ class_type }) => cutting.test(class_type));
  return [
    parts.join(""),
    texts.toReversed().flat().join(""),
    ...parts.filter((part) => begun.test(part)),
    ...(isCut ? parts.flatMap((part) => part.match(within) ?? []) : []),
  ];
}

/** What comes of a text in which one word stands for another. */
function replacedIn({ string, find, replace }: PromptNode["inputs"]): string[] {
  const isKnown = [string, find, replace].every((each) => typeof each === "string");
  return isKnown && find !== "" ? [(string as string).replaceAll(find as string, replace as string)] : [];
}

function jsonIn(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? (parseJson(text) as Json | undefined) : undefined;
}
