/** A workflow as few lines that a language model reads and `parseCompact` takes back. */

import type { NodeId } from "../graph";
import { inReadingOrder } from "../readingOrder";
import { type Alike, alikeSubgraphs } from "./alike";
import { nameWord, valueWord } from "./words";
import {
  type CompactGraph,
  type CompactGroup,
  type CompactLink,
  type CompactNode,
  type CompactPort,
  type CompactSource,
  type CompactSubgraph,
  type CompactValue,
  type CompactWorkflow,
  instancePaths,
  noteTypes,
} from "./workflow";

export interface Reading {
  /** Longer values are cut to so many characters; the form then reads well but is not the whole workflow. */
  valueLength?: number;
  /** Of notes; what does not run is told nearly as shortly. */
  noteLength?: number;
  /** Whether values that people ask about are told where they are as in a new node, too. */
  tellsAsked?: boolean;
  /** Whether subgraphs that are much like one before are told by what differs. */
  tellsAlike?: boolean;
  /** Whether groups come as they lie on the canvas, each with its box. */
  tellsPlaces?: boolean;
  /** Without notes and groups. */
  isWithoutAsides?: boolean;
  isWithoutTitles?: boolean;
}

const asked: ReadonlySet<string> = new Set(
  `width height resolution aspect_ratio length video_frames duration seconds fps frame_rate steps cfg guidance
  sampler_name scheduler denoise seed noise_seed shift strength strength_model strength_clip start_percent end_percent
  scale_by megapixels`.split(/\s+/),
);

/** What becomes of a seed behind which it stands, once it was run. */
const seedControl = "control_after_generate";

/**
 * One line per node, then groups, then a block per subgraph:
 *
 *     3 KSampler "second pass" bypassed model<4 positive<6 latent_image<5.LATENT steps=30
 *     7 S1 image<3 strength=0.5
 *     group "Sampling": 3 5
 *     subgraph S1 "Upscale" at 7 in(image strength"how much") out(IMAGE<9)
 *     9 UpscaleModelLoader …
 *     end
 *
 * `<` names an input's source, with its slot where that is not plain; `<?` is a required input without one. Node 9
 * inside is `7:9`; the canvas shows its `strength` as `how much`. Equal workflows give equal text.
 */
export function writeCompact(workflow: CompactWorkflow, reading: Reading = {}): string {
  const alike = reading.tellsAlike ? alikeSubgraphs(workflow) : undefined;
  return [
    ...graphLines(workflow, reading),
    ...subgraphLines(workflow, alike, (subgraph, own) =>
      graphLines(own?.hasSameGroups ? { ...subgraph, groups: [] } : subgraph, reading, (node) => {
        const difference = own?.differences.get(node.id);
        return difference
          ? nodeLine(difference.node, reading, twinWord(node.type, difference.twin))
          : nodeLine(node, reading);
      }),
    ),
  ].join("\n");
}

/** The word of a node's type, and behind it that of the node that it is as. */
export function twinWord(type: string, twin: NodeId): string {
  return `${nameWord(type)} =${twin}`;
}

/** The block of each subgraph, with a remark before the first that is told by what differs. */
export function subgraphLines(
  workflow: CompactWorkflow,
  alike: ReadonlyMap<string, Alike> | undefined,
  lines: (subgraph: CompactSubgraph, alike: Alike | undefined) => readonly string[],
): string[] {
  const paths = instancePaths(workflow);
  const [firstAlike] = alike?.keys() ?? [];
  return workflow.subgraphs.flatMap((subgraph) => {
    const own = alike?.get(subgraph.key);
    return [
      ...(own && subgraph.key === firstAlike ? [alikeRemark(subgraph, own)] : []),
      own?.hasSameEdge
        ? `${subgraphName(subgraph, paths.get(subgraph.key) ?? [])} like ${own.like}`
        : `${subgraphHead(subgraph, paths.get(subgraph.key) ?? [])}${own ? ` like ${own.like}` : ""}`,
      ...lines(subgraph, own),
      "end",
    ];
  });
}

function alikeRemark({ key }: CompactSubgraph, { like, differences }: Alike): string {
  const [id, { twin, node }] = [...differences][0] ?? ["", { twin: "", node: { type: "" } }];
  return `# In ${key}, ${twinWord(node.type, twin)} makes ${id} a copy of ${like}'s ${twin}: its values, and its links to the copies here; only what the line names differs. Slots and groups that are not told are copies, too. Likewise wherever a subgraph is like another.`;
}

export function graphLines(
  graph: CompactGraph,
  reading: Reading,
  lineOf: (node: CompactNode) => string = (node) => nodeLine(node, reading),
): string[] {
  if (!reading.isWithoutAsides) return [...graph.nodes.map(lineOf), ...groupLines(graph, reading)];
  return graph.nodes.filter(({ type }) => !noteTypes.has(type)).map(lineOf);
}

/** Names of files are seldom longer. */
const wholeNames = 60;

/** `typeWord` stands for a type that is no class, as a subgraph's. */
export function nodeLine(
  node: CompactNode,
  { valueLength, noteLength, tellsAsked = false, isWithoutTitles = false }: Reading = {},
  typeWord = nameWord(node.type),
): string {
  const isActive = node.mode === "active";
  const usual = tellsAsked && isActive ? askedOf(node) : [];
  const ofNote = noteLength ?? valueLength;
  const ofIdle = ofNote && Math.max(ofNote, wholeNames);
  const length = noteTypes.has(node.type) ? ofNote : isActive ? valueLength : ofIdle;
  return [
    isWithoutTitles ? nodeHead({ ...node, title: undefined }, typeWord) : nodeHead(node, typeWord),
    ...node.links.map(linkWord),
    ...(node.remarks?.openInputs ?? []).map((name) => `${nameWord(name)}<?`),
    ...[...node.values, ...usual].map((value) => valueAssignment(value, length)),
    ...node.shown.map(shownWord),
    ...(node.remarks?.unusedOutputs ?? []).map((name) => `>${nameWord(name)}`),
  ].join(" ");
}

/** Of a seed also whether ComfyUI gives it up with the next run, unless it comes by a link. */
function askedOf({ unwritten }: CompactNode): CompactValue[] {
  const isFed = unwritten?.fed.some(({ name }) => /seed$/.test(name));
  return (unwritten?.usual ?? []).filter(({ name, value }) =>
    name === seedControl ? value !== "fixed" && !isFed : asked.has(name),
  );
}

export function nodeHead(
  { id, type, title, mode, remarks }: Pick<CompactNode, "id" | "type" | "title" | "mode" | "remarks">,
  typeWord = nameWord(type),
): string {
  return [
    id,
    typeWord,
    ...(title === undefined ? [] : [JSON.stringify(title)]),
    ...(mode === "active" ? [] : [mode]),
    ...(remarks?.isUninstalled ? ["uninstalled"] : []),
  ].join(" ");
}

/** What a node is that stands for a subgraph, where no definition is at hand that its key could mean. */
export function subgraphWord(name: string): string {
  return `Subgraph ${JSON.stringify(name)}`;
}

export function subgraphHead(subgraph: CompactSubgraph, paths: readonly string[]): string {
  const { inputs, outputs } = subgraph;
  const out = outputs.map((port) => `${portWord(port)}${port.source ? `<${sourceWord(port.source)}` : ""}`);
  return `${subgraphName(subgraph, paths)} in(${inputs.map(portWord).join(" ")}) out(${out.join(" ")})`;
}

function subgraphName({ key, name }: CompactSubgraph, paths: readonly string[]): string {
  const at = paths.length === 0 ? "" : ` at ${paths.join(" ")}`;
  return `subgraph ${key} ${JSON.stringify(name)}${at}`;
}

function groupLines({ groups }: CompactGraph, { tellsPlaces = false }: Reading): string[] {
  if (!tellsPlaces) return groups.map(({ title, nodes }) => groupLine({ title, nodes }));
  return groupsInOrder(groups).map(groupLine);
}

export function groupsInOrder(groups: readonly CompactGroup[]): CompactGroup[] {
  return inReadingOrder(groups, ({ unwritten }) => unwritten?.box);
}

/** `group "Sampling" [90 -200 1160 640]: 3 5`. */
export function groupLine(group: CompactGroup): string {
  return `${groupWord(group)}:${group.nodes.map((id) => ` ${id}`).join("")}`;
}

/** With its x, y, width and height, where they are known. */
export function groupWord({ title, unwritten }: CompactGroup): string {
  const { x, y, width, height } = unwritten?.box ?? {};
  const box =
    x === undefined ? "" : ` [${[x, y, width, height].map((each) => Math.round(each ?? 0)).join(" ")}]`;
  return `group ${JSON.stringify(title)}${box}`;
}

export function sourceWord({ node, slot }: CompactSource): string {
  if (slot === undefined) return node;
  const [, name = "", place = ""] = /^(.*?)(#\d+)?$/s.exec(slot) ?? [];
  const isPlain = name === "" || nameWord(name) === name;
  return `${node}.${place !== "" && isPlain ? slot : nameWord(slot)}`;
}

export function linkWord(link: CompactLink): string {
  return `${link.input === "" ? "" : nameWord(link.input)}<${linkSourceWord(link)}`;
}

/** `1(via 3)`: no wire is drawn, node 3 hands it on when the prompt is made. */
export function linkSourceWord({ source, unwired }: CompactLink): string {
  if (!unwired) return sourceWord(source);
  return `${sourceWord(source)}(${unwired.via === undefined ? "no wire" : `via ${unwired.via}`})`;
}

/** `^12.seed`, a widget of the inside. */
export function shownWord(path: string): string {
  return `^${/^[^\s"]+$/.test(path) ? path : JSON.stringify(path)}`;
}

export function valueAssignment(value: CompactValue, length?: number): string {
  return `${nameWord(value.name)}=${valueText(value, length)}`;
}

export function valueText({ value, isMissing, cut }: CompactValue, length?: number): string {
  const short = cut === undefined && length !== undefined ? shortened(value, length) : { value, cut };
  const word = valueWord(short.value) + (short.cut === undefined ? "" : `…+${short.cut}`);
  return `${word}${isMissing ? "(missing)" : ""}`;
}

/**
 * What is long but no text becomes the beginning of its JSON, which no reader takes for the value. Numbers lose what
 * only counting in binary has added to them.
 */
function shortened(value: CompactValue["value"], length: number): Pick<CompactValue, "value" | "cut"> {
  if (typeof value === "number")
    return { value: Number.isInteger(value) ? value : Number(value.toPrecision(15)) };
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= length + cutMargin
    ? { value }
    : { value: text.slice(0, length), cut: text.length - length };
}

/** Cutting off less than this would save nothing. */
export const cutMargin = 12;

function portWord({ name, label, type }: CompactPort): string {
  return labelledWord(name, label) + (type === undefined ? "" : `:${nameWord(type)}`);
}

/** `value_1"duration"`: the name by which calls go, and what people see in its place. */
export function labelledWord(name: string, label: string | undefined): string {
  return nameWord(name) + (label === undefined ? "" : JSON.stringify(label));
}
