/** A workflow in ever shorter forms: whole, with shorter values, without notes and groups, as an outline. */

import { alikeSubgraphs } from "../../graph/compact/alike";
import { asidesOf, outlineGroups, outlineWorkflow } from "../../graph/compact/outline";
import { outlineParts } from "../../graph/compact/parts";
import { type CompactWorkflow, nodeCount, noteTypes } from "../../graph/compact/workflow";
import { type Reading, writeCompact } from "../../graph/compact/write";
import { few } from "../../shared/few";
import { countTokens } from "../room";
import type { Form } from "./forms";

const telling = { tellsAsked: true, tellsPlaces: true };
const brief = { ...telling, valueLength: 200, noteLength: 80 };
const briefer = { ...telling, valueLength: 120, noteLength: 40 };
const briefest = { ...telling, valueLength: 60, noteLength: 20 };
/** Where there is no room for more: numbers and words whole, of files and prompts the beginning. */
const bare: Reading = { valueLength: 16, noteLength: 0 };
const barest: Reading = { valueLength: 8, noteLength: 0, isWithoutTitles: true };
const bareAsked: Reading = { ...bare, tellsAsked: true };
const barestAsked: Reading = { ...barest, tellsAsked: true };
const manyNodes = 150;
const veryManyNodes = 250;

/** Of an outline that was asked for. */
const mostOfOutline = 4_000;

/** Whose ids are told. */
const mostNotes = 8;

const askForValues = "Pass nodeIds to read those of a few nodes.";
export const askForNodes = "Pass nodeIds, with view around also for what is near them.";

export const wholeValues: Reading = telling;

/** Listings with ever shorter values, the first as asked for; each is also tried with what is alike told once. */
export function* readings(
  first: Reading,
  listing: (reading: Reading) => Pick<Form, "entries" | "tells" | "distances">,
  hasAlike = () => false,
): Iterable<Form> {
  const { valueLength = Infinity } = first;
  for (const reading of new Set<Reading>([first, brief, briefer, briefest, bareAsked, bare]))
    for (const tellsAlike of onceMore(hasAlike))
      if (reading === first || (reading.valueLength ?? 0) < valueLength)
        yield {
          ...listing({ ...reading, tellsAlike }),
          ...(valueLength === Infinity &&
            reading !== first && { leftOut: `The rest of long values. ${askForValues}` }),
          ...((reading === bareAsked || reading === bare) && { tells: "names" as const }),
        };
}

/** First without, then with what is alike told once: asked for only where the first is too long. */
function* onceMore(hasAlike: () => boolean): Iterable<boolean> {
  yield false;
  if (hasAlike()) yield true;
}

const alikeIn = (workflow: CompactWorkflow) => () => alikeSubgraphs(workflow).size > 0;

export function* workflowForms(
  workflow: CompactWorkflow,
  reading: Reading = readingOf(workflow),
): Iterable<Form> {
  yield* readings(
    reading,
    (each) => ({ entries: writeCompact(workflow, each).split("\n") }),
    alikeIn(workflow),
  );
  for (const reading of [bareAsked, bare, barestAsked, barest])
    for (const tellsAlike of onceMore(alikeIn(workflow)))
      yield {
        entries: writeCompact(workflow, { ...reading, tellsAlike, isWithoutAsides: true }).split("\n"),
        leftOut: `Notes, groups, ${reading.isWithoutTitles ? "titles, " : ""}long values; editWorkflow keeps them. ${askForValues}`,
        tells: "names",
      };
  for (const outline of outlines(workflow, ["widget values"]))
    yield { ...outline, brief: ", values left out" };
}

/** What each form leaves out is named with what was left out before. */
export function* outlines(workflow: CompactWorkflow, leftOut: readonly string[] = []): Iterable<Form> {
  const there = asidesOf(workflow);
  const notes = there.notes ? [notesWord(workflow)] : [];
  const lacking = (more: readonly string[], ask: string) => {
    const all = [...leftOut, ...more, ...notes];
    return all.length > 0 && { leftOut: `${sentence(all)}. ${ask}` };
  };
  const without = [
    { hasTitles: true, hasGroups: true, lacks: [] },
    ...(there.titles ? [{ hasTitles: false, hasGroups: true, lacks: ["titles"] }] : []),
    ...(there.groups
      ? [{ hasTitles: false, hasGroups: false, lacks: [...(there.titles ? ["titles"] : []), "groups"] }]
      : []),
  ];
  for (const { lacks, ...has } of without)
    for (const tellsAlike of onceMore(alikeIn(workflow)))
      yield {
        view: "outline",
        entries: outlineWorkflow(workflow, { ...has, tellsAlike }).split("\n"),
        tells: "names",
        ...lacking(lacks, askForValues),
      };
  yield {
    view: "outline",
    tells: [],
    ...lacking(["the nodes in groups and subgraphs"], askForNodes),
    entries: outlineGroups(workflow).split("\n"),
  };
}

function sentence(parts: readonly string[]): string {
  const words = parts.join(", ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** With the ids of those that lie outside of subgraphs. */
function notesWord({ nodes }: CompactWorkflow): string {
  const ids = nodes.filter(({ type }) => noteTypes.has(type)).map(({ id }) => id);
  return ids.length === 0 ? "notes" : `notes (${few(ids, mostNotes, " ")})`;
}

const brevities = [
  [8, true],
  [4, true],
  [2, true],
  [4, false],
  [1, false],
  [0, false],
] as const;

/** Node by node; where that is longer than an outline may be, by groups, chains and subgraphs. */
export function* shortOutlines(workflow: CompactWorkflow): Iterable<Form> {
  const isShort = ({ entries }: Form) => countTokens(entries.join("\n")) <= mostOfOutline;
  for (const form of outlines(workflow)) if (form.tells === "names" && isShort(form)) yield form;
  for (const [mostTypes, hasSources] of brevities) {
    const form: Form = {
      view: "outline",
      tells: [],
      entries: outlineParts(workflow, { mostTypes, hasSources }),
      leftOut:
        "The nodes. Pass a group, a chain or a subgraph by its name (Upscale, chain 12, S1) in nodeIds.",
    };
    if (mostTypes === 0 || isShort(form)) yield form;
  }
}

/** The more nodes, the less of each long value. */
export function readingOf(workflow: CompactWorkflow): Reading {
  const nodes = nodeCount(workflow);
  if (nodes > veryManyNodes) return briefest;
  return nodes > manyNodes ? briefer : brief;
}
