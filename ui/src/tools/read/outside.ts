/** Text of the open workflow that the model has not written itself, and where it stands: others may have. */

import type { Comfy } from "../../comfy/bridge";
import { type CompactNode, type CompactPort, noteTypes, scopes } from "../../graph/compact/workflow";
import { few } from "../../shared/few";
import { wordOrQuoted } from "../../shared/quoted";
import type { Sight } from "./known";
import { look } from "./sight";

const mostPlaces = 4;

const longestSlotName = 40;

/** Names that ComfyUI gives. */
const usualNames = ["New Subgraph", "Group"];

/** What the model wrote before it had read anything of others, and what stands in templates of ComfyUI itself. */
const written = new WeakMap<Comfy["whole"], Set<string>>();

export function rememberWritten(comfy: Comfy, args: unknown): void {
  const texts = written.get(comfy.whole) ?? new Set();
  written.set(comfy.whole, texts);
  for (const text of stringsIn(args)) texts.add(text);
}

/** Its texts count as nobody else's wherever they stand: a stranger's workflow that has the same says no more by them. */
export function rememberComfyUIs(comfy: Comfy, template: unknown): void {
  rememberWritten(comfy, template);
}

/** Names of workflows that were looked up. */
const lookedUp = new WeakMap<Comfy["whole"], Set<string>>();
const copyNumber = / *\(\d+\)$/;

/**
 * The places of `outsidePlaces`, without what the open workflow has of the template of ComfyUI's own that is called like
 * it: the person opened that one, or something that calls itself so, of which only what differs counts.
 */
export async function placesBeyondTemplate(comfy: Comfy, sight?: Pick<Sight, "workflow">): Promise<string[]> {
  const places = outsidePlaces(comfy, sight);
  const name = comfy.workflow().name.replace(copyNumber, "");
  const known = lookedUp.get(comfy.whole) ?? new Set();
  lookedUp.set(comfy.whole, known);
  if (places.length === 0 || known.has(name)) return places;
  known.add(name);
  const template = await comfy.whole.ownTemplate(name);
  if (template === undefined) return places;
  rememberComfyUIs(comfy, template);
  return outsidePlaces(comfy, sight);
}

const withoutText = new WeakMap<Comfy["whole"], Map<string, ReadonlySet<string>>>();

/** Choices and what a new node has are the packages' own words, and no text. */
export function outsidePlaces(comfy: Comfy, { workflow }: Pick<Sight, "workflow"> = look(comfy)): string[] {
  const own = new Set([...usualNames, ...(written.get(comfy.whole) ?? [])]);
  const lines = [...own].filter((each) => each.includes("\n"));
  const isForeign = (text: string | undefined) =>
    text !== undefined && text !== "" && !own.has(text) && !lines.some((each) => each.includes(text));
  const places = scopes(workflow).flatMap(({ key, graph }) => {
    const at = key === undefined ? "" : ` in ${key}`;
    const {
      name,
      inputs = [],
      outputs = [],
    } = workflow.subgraphs.find((subgraph) => subgraph.key === key) ?? {};
    return [
      ...(isForeign(name) ? [`the name of ${key}`] : []),
      ...([...inputs, ...outputs].some((port) => wordsOf(port).some(isForeign)) ? [`slots of ${key}`] : []),
      ...(graph.groups.some(({ title }) => isForeign(title)) ? [`titles of groups${at}`] : []),
      ...graph.nodes.flatMap((node) => placesIn(comfy, node, isForeign).map((place) => place + at)),
    ];
  });
  return places.length === 0 ? [] : [`the open workflow: ${few(places, mostPlaces)}`];
}

/** A name without blanks comes from the widget inside, unless it is longer than those are. */
function wordsOf({ name, label }: CompactPort): string[] {
  return [...(name.length > longestSlotName || /\s/.test(name) ? [name] : []), ...(label ? [label] : [])];
}

function placesIn(
  comfy: Comfy,
  { id, type, title, values, remarks }: CompactNode,
  isForeign: (text: string | undefined) => boolean,
): string[] {
  const foreign = values.filter(({ value }) => stringsIn(value).some(isForeign));
  const others = foreign.length > 0 ? inputsWithoutText(comfy, type) : undefined;
  const texts = foreign.filter(({ name, isMissing }) => isMissing || !others?.has(name));
  return [
    ...(remarks?.isUninstalled && isForeign(type) ? [`the type of node ${id}`] : []),
    ...(isForeign(title) ? [`the title of node ${id}`] : []),
    ...new Set(texts.map(({ name }) => placeOf(id, type, name))),
  ];
}

/** Found out once for each type: a definition takes long to be read, for the sake of its choices. */
function inputsWithoutText(comfy: Comfy, type: string): ReadonlySet<string> | undefined {
  const known = withoutText.get(comfy.whole) ?? new Map<string, ReadonlySet<string>>();
  withoutText.set(comfy.whole, known);
  const definition = known.has(type) ? undefined : comfy.nodeDefinition(type);
  if (definition)
    known.set(
      type,
      new Set(definition.inputs.flatMap(({ name, widget = "text" }) => (widget === "text" ? [] : name))),
    );
  return known.get(type);
}

/** Values of nodes that are not installed have numbers for names. */
function placeOf(id: string, type: string, name: string): string {
  if (noteTypes.has(type)) return `note ${id}`;
  return name.startsWith("#") ? `values of node ${id}` : `${id}.${wordOrQuoted(name)}`;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, each]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...stringsIn(each),
  ]);
}
