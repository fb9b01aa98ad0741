/** What an edit came to, in one line: all that is left of it once a conversation is condensed. */

import type { Difference, NodeChange } from "../../graph/compact/changes";
import { groupName, groupWords, pathOf, wayWords, whatWords } from "../../graph/compact/changeWords";
import { distanceWords } from "../../graph/distanceWords";
import type { GraphGroup, GraphNode, NodeId, Place } from "../../graph/graph";
import { nodePath } from "../../graph/nodePath";
import { few } from "../../shared/few";
import { type ChangeKind, changeKinds } from "../../shared/graphChanges";
import { typeWord } from "../read/references";
import type { Told } from "../tool";
import type { BatchDone } from "./batch";
import { lostBy } from "./lost";
import { type Outcome, reading } from "./outcome";
import type { BatchPlan } from "./planBatch";
import { joinedBy } from "./rejoined";

/** Of each kind, so many characters, and the first change however long it is. */
const room = 280;

/** From so many nodes on that were switched to one mode, or went one way together, their ids alone are told. */
const manyAlike = 4;

/** What a tool says itself of the one thing that it did, with what was so already. */
interface OwnWords {
  /** Without its full stop. */
  sentence: string;
  /** Whether it tells all of a change; the others are told behind it. */
  tells(change: NodeChange): boolean;
  /** Of the tool's own fields, those that it tells. */
  fields: readonly string[];
}

/** The summary, and the fields of the result's data of which it tells all: models read those once. */
export function toldOf(done: BatchDone, own?: OwnWords): { summary: string; told: Told[] } {
  const joined = joinedBy(done);
  const joins = joined.slice(0, shownOf(joined.map(({ words }) => words)));
  const changes = withoutTold(done, joins);
  const { words: text, told } = outcomeTold(own ? leftBy(own, changes) : changes, done.open);
  const unchanged = text === "" && !own ? done.unchanged : [];
  const lists: Listed[] = [{ words: "Joined", items: joins.map(({ words }) => words) }, ...listsOf(done)];
  const fields = [...lists, { field: "unchanged", items: unchanged }].flatMap(({ field, items }) =>
    field === undefined || items.length === 0 ? [] : toldItems(field, items),
  );
  const ownFields = own ? [...own.fields, ...(done.unchanged.length > 0 ? ["unchanged"] : [])] : [];
  const whole = own
    ? `${[own.sentence, ...(text === "" ? [] : [text])].join("; ")}.`
    : sentence(text, unchanged);
  return {
    summary: `${whole}${lists.map(listWords).join("")}`,
    told: [...told, ...ownFields, ...fields],
  };
}

/** Whether a change of a node is about no more than one of its inputs, a widget's own included. */
export const isAbout =
  (id: NodeId, input: string | undefined) =>
  ({ node, differences }: NodeChange): boolean =>
    node === id &&
    differences.every(
      (each) => (each.of === "link" && each.input === input) || (each.of === "value" && each.name === input),
    );

/** What the lists of joins and of what made room tell stands there alone. */
function withoutTold(outcome: BatchDone, joins: ReturnType<typeof joinedBy>): Outcome {
  const isTold = (difference: Difference) => joins.some((join) => join.difference === difference);
  const changed = outcome.changed.flatMap((change) => {
    const { graph, node } = change;
    const isMoved = outcome.plan.moved.some(
      ({ at, node: end }) => at.definition === graph && end.id === node,
    );
    const isToldOf = (each: Difference) => isTold(each) || (isMoved && each.of === "position");
    if (!change.differences.some(isToldOf)) return [change];
    const differences = change.differences.filter((each) => !isToldOf(each));
    return differences.length === 0 ? [] : [{ ...change, differences }];
  });
  return { ...outcome, changed };
}

function leftBy({ tells }: OwnWords, { added, changed, removed, groups }: Outcome): Outcome {
  const left = (all: readonly NodeChange[]) => all.filter((change) => !tells(change));
  return { added: left(added), changed: left(changed), removed: left(removed), groups };
}

/**
 * `changed 3 KSampler steps=20→30; removed 5 VAEDecode`, empty where nothing became different, and what of the result's
 * data it tells all of.
 */
export function outcomeTold(outcome: Outcome, open: Place): { words: string; told: Told[] } {
  const changes = changeKinds.map((kind) => {
    const items = changesOf(kind, outcome, open);
    const words = items.map((item) => item.words);
    return { kind, items, words, shown: shownOf(words) };
  });
  const isTold = changes.every(({ items, shown }) => shown === items.length);
  return {
    words: changes.flatMap(({ kind, words }) => phrase(kind, words)).join("; "),
    told: isTold
      ? ["changes"]
      : changes.flatMap(({ kind, items, shown }) =>
          shown === items.length
            ? [["changes", kind]]
            : namesOnlyIn(items.slice(0, shown), items.slice(shown)).map((name) => ["changes", kind, name]),
        ),
  };
}

/** Groups of one title have one name together. */
function namesOnlyIn(shown: readonly ToldChange[], others: readonly ToldChange[]): string[] {
  const left = new Set(others.flatMap(({ names }) => names));
  return [...new Set(shown.flatMap(({ names }) => names))].filter((name) => !left.has(name));
}

interface ToldChange {
  words: string;
  /** By which the data have it. */
  names: string[];
}

function changesOf(kind: ChangeKind, outcome: Outcome, open: Place): ToldChange[] {
  const alike = Map.groupBy(outcome[kind], onlyModeOrWay);
  const many = [...alike].flatMap(([words, all]) =>
    words && all.length >= manyAlike ? [{ words, all }] : [],
  );
  const folded = new Set(many.flatMap(({ all }) => all));
  const pathsOf = (all: readonly NodeChange[]) => all.map((change) => pathOf(change, open));
  const nodes = [
    ...outcome[kind]
      .filter((change) => !folded.has(change))
      .map((change) => ({
        words: `${pathOf(change, open)} ${whatWords(change, open, reading)}`,
        names: pathsOf([change]),
      })),
    ...many.map(({ words, all }) => ({ words: `${pathsOf(all).join(" ")} ${words}`, names: pathsOf(all) })),
  ];
  const groups = outcome.groups
    .filter((change) => change.kind === kind)
    .map((change) => {
      const name = groupName(change);
      return { words: `${name} (${groupWords(change, open)})`, names: [name] };
    });
  return [...nodes, ...groups];
}

/** The mode that a node was switched to, or the way that it went, where nothing else of it is different. */
function onlyModeOrWay({ differences: [only, ...others] }: NodeChange): string | undefined {
  if (others.length > 0) return undefined;
  if (only?.of === "position") return wayWords(only);
  return only?.of === "mode" ? only.after : undefined;
}

/** The field of a list, or ways to the first entries where there was room for no more. */
function toldItems(field: string, items: readonly string[]): Told[] {
  const shown = shownOf(items);
  return shown === items.length ? [field] : items.slice(0, shown).map((_, index) => [field, String(index)]);
}

interface Listed {
  words: string;
  items: readonly string[];
  /** Where the result's data have them. */
  field?: string;
}

/** What one might expect to be otherwise, each list after the sentence about what has changed. */
function listsOf(done: BatchDone): Listed[] {
  const { plan, along, hidden, stillUnconnected, notChosen, rolled } = done;
  const rolledWords = (isBefore: boolean) =>
    rolled.flatMap(({ words, isBeforeRun }) => (isBeforeRun === isBefore ? [words] : []));
  const renamed = plan.steps.flatMap(({ renames }) => renames ?? []);
  return [
    { words: "Carried over under another name", items: renamed },
    { words: "Not carried over", items: lostBy(done), field: "notCarriedOver" },
    { words: "Moved", items: [...movedWords(plan), ...done.movedFar] },
    { words: "Not where asked", items: asideWords(done) },
    { words: "Not moved", items: plan.leaves, field: "notMoved" },
    { words: "Not asked for, and changed by ComfyUI with it", items: along },
    { words: "The app no longer shows", items: hidden },
    { words: "Still unconnected", items: stillUnconnected, field: "stillUnconnected" },
    { words: "Not chosen by anybody", items: notChosen, field: "notChosen" },
    { words: "Used by the next run, then changed by ComfyUI", items: rolledWords(false) },
    { words: "Changed by ComfyUI before the next run uses it", items: rolledWords(true) },
  ];
}

/** Of what stands where something was asked to be, so much is named. */
const mostInTheWay = 2;
/** So many are told with their types. */
const mostNamed = 8;

/** `8 VAEDecode and 9 SaveImage 360 px right`, by how far they went. */
function movedWords({ draft, moved }: BatchPlan): string[] {
  const together = Map.groupBy(moved, ({ by }) => distanceWords(by));
  return [...together].map(([far, nodes]) => {
    const names = nodes.map((each) =>
      nodes.length > mostNamed ? draft.pathOf(each) : `${draft.pathOf(each)} ${typeWord(each.node)}`,
    );
    return `${joinedWords(names)} ${far}`;
  });
}

/** `8 VAEDecode at 900,40 (group "Load" stands there)`. */
function asideWords({ plan, open, idOf }: BatchDone): string[] {
  return plan.aside.map(({ at, thing, for: others }) => {
    const words = (each: GraphNode | GraphGroup) =>
      "id" in each
        ? `${nodePath(at.place.map(idOf), idOf(each.id), open)} ${typeWord(each)}`
        : groupName(each);
    const { x, y } = "id" in thing ? thing.position : (thing.bounds ?? { x: 0, y: 0 });
    const there = `${few(others.map(words), mostInTheWay)} ${others.length === 1 ? "stands" : "stand"} there`;
    return `${words(thing)} at ${Math.round(x)},${Math.round(y)}${others.length > 0 ? ` (${there})` : ""}`;
  });
}

function joinedWords(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : `${words[0]}`;
}

function listWords({ words, items }: Listed): string {
  return items.length === 0 ? "" : ` ${words}: ${fitting(items)}.`;
}

function sentence(changes: string, unchanged: readonly string[]): string {
  if (changes !== "") return `${changes.charAt(0).toUpperCase()}${changes.slice(1)}.`;
  return unchanged.length === 0
    ? "Done; nothing became different."
    : `Nothing became different: ${fitting(unchanged)}.`;
}

function phrase(verb: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${verb} ${fitting(items)}`];
}

function fitting(items: readonly string[]): string {
  return few(items, shownOf(items));
}

/** How many there is room for. */
function shownOf(items: readonly string[]): number {
  let length = 0;
  const shown = items.findIndex((item) => {
    length += item.length + 2;
    return length > room;
  });
  return shown < 0 ? items.length : Math.max(1, shown);
}
