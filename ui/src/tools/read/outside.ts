/** Text of the open workflow that the model has not written itself, and where it stands: others may have. */

import type { Comfy } from "../../comfy/bridge";
import { possibleInputs } from "../../comfy/inputsInForce";
import { type CompactNode, type CompactValue, noteTypes, scopes } from "../../graph/compact/workflow";
import { namesItsFolder } from "../../graph/fileChoices";
import type { WidgetKind } from "../../graph/graph";
import { groupPrefix } from "../../graph/ownTypes";
import { few } from "../../shared/few";
import { seenId, wordOrQuoted } from "../../shared/quoted";
import type { Sight } from "./known";
import { look } from "./sight";
import { namesOfTypes } from "./typesNames";

const mostPlaces = 4;

export const openWorkflow = "the open workflow";

/** The sources of these places, each once, without those that were told `before`: the workflow in a word, whatever it is in it. */
export function newSources(places: readonly string[], before: readonly string[] = []): string[] {
  const known = new Set(before.map(sourceOf));
  return [...new Set(places.map(sourceOf))].filter((source) => !known.has(source));
}

const sourceOf = (place: string) => (place.startsWith(openWorkflow) ? openWorkflow : place);

/** Words that ComfyUI itself writes. */
const usualWords = ["New Subgraph", "Group", "fixed", "increment", "decrement", "randomize"];

/** What a widget for something else than text holds, where it holds that as a text. */
const plainValue = /^(?:[-+.\de]+|#?[\da-f]{3,8}|true|false)$/i;

/** ComfyUI counts; some extensions give long ids. */
const plainId = /^[-\da-f]+$/i;

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

const notForText = new WeakMap<Comfy["whole"], Map<string, ReadonlyMap<string, WidgetKind>>>();

/** Choices and what a new node has are the packages' own words, and no text. */
export function outsidePlaces(comfy: Comfy, { workflow }: Pick<Sight, "workflow"> = look(comfy)): string[] {
  const own = new Set([...usualWords, ...(written.get(comfy.whole) ?? [])]);
  const lines = [...own].filter((each) => each.includes("\n"));
  const isForeign = (text: string | undefined) =>
    text !== undefined && text !== "" && !own.has(text) && !lines.some((each) => each.includes(text));
  const isOfTypes = namesOfTypes(comfy, workflow);
  const isForeignName = (name: string | undefined) => isForeign(name) && !isOfTypes(String(name));
  const places = scopes(workflow).flatMap(({ key, graph }) => {
    const at = key === undefined ? "" : ` in ${key}`;
    const {
      name,
      inputs = [],
      outputs = [],
    } = workflow.subgraphs.find((subgraph) => subgraph.key === key) ?? {};
    return [
      ...(isForeign(name) ? [`the name of ${key}`] : []),
      ...([...inputs, ...outputs].some(
        ({ name, type, label }) => [name, type].some(isForeignName) || isForeign(label),
      )
        ? [`slots of ${key}`]
        : []),
      ...(graph.groups.some(({ title }) => isForeign(title)) ? [`titles of groups${at}`] : []),
      ...graph.nodes.flatMap((node) =>
        placesIn(comfy, node, { isForeign, isForeignName }).map((place) => place + at),
      ),
    ];
  });
  return places.length === 0 ? [] : [`${openWorkflow}: ${few(places, mostPlaces)}`];
}

interface Tests {
  isForeign(text: string | undefined): boolean;
  /** Of a slot. */
  isForeignName(name: string | undefined): boolean;
}

function placesIn(comfy: Comfy, node: CompactNode, { isForeign, isForeignName }: Tests): string[] {
  const { id, type, title, values, remarks } = node;
  const foreign = values.filter(({ value }) => stringsIn(value).some(isForeign));
  const others = foreign.length > 0 ? kindsOfOthers(comfy, type) : undefined;
  const texts = foreign.filter((value) => holdsText(value, others?.get(value.name)));
  const isOfFile = remarks?.isUninstalled || type.startsWith(groupPrefix);
  return [
    ...(isOfFile && isForeign(type) ? [`the type of node ${seenId(id)}`] : []),
    ...(isForeign(title) ? [`the title of node ${seenId(id)}`] : []),
    ...(plainId.test(id) || !isForeign(id) ? [] : ["the id of a node"]),
    ...(slotNames(node).some(isForeignName) ? [`slots of node ${seenId(id)}`] : []),
    ...new Set(texts.map(({ name }) => placeOf(id, type, name))),
  ];
}

/** What a file gives a node beyond its type stays there, whatever it is called. */
function slotNames({ links, shown, unwritten }: CompactNode): string[] {
  return [
    ...links.flatMap(({ input, source: { slot = "" } }) => [input, slot.replace(/#\d+$/, "")]),
    ...shown.map((path) => path.replace(/^[^.]*\./, "")),
    ...(unwritten?.grown ?? []),
  ];
}

/** A choice of the list is the package's word; that a file of another folder is there, nobody has looked. */
function holdsText({ value, isMissing }: CompactValue, other: WidgetKind | undefined): boolean {
  if (other === undefined || isMissing) return true;
  const isPlain =
    other === "choice" ? (text: string) => !namesItsFolder(text) : (text: string) => plainValue.test(text);
  return !stringsIn(value).every(isPlain);
}

/** The widgets that are not for text. Found out once for each type: a definition takes long to be read, for its choices. */
function kindsOfOthers(comfy: Comfy, type: string): ReadonlyMap<string, WidgetKind> | undefined {
  const known = notForText.get(comfy.whole) ?? new Map<string, ReadonlyMap<string, WidgetKind>>();
  notForText.set(comfy.whole, known);
  const definition = known.has(type) ? undefined : comfy.nodeDefinition(type);
  if (definition)
    known.set(
      type,
      new Map(
        possibleInputs(definition).flatMap(({ name, widget = "text" }) =>
          widget === "text" ? [] : [[name, widget]],
        ),
      ),
    );
  return known.get(type);
}

/** Values of nodes that are not installed have numbers for names. */
function placeOf(id: string, type: string, name: string): string {
  if (noteTypes.has(type)) return `note ${seenId(id)}`;
  return name.startsWith("#") ? `values of node ${seenId(id)}` : `${seenId(id)}.${wordOrQuoted(name)}`;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, each]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...stringsIn(each),
  ]);
}
