/** What an edit came to, in one line: all that is left of it once a conversation is condensed. */

import { groupName, groupWords, pathOf, whatWords } from "../../graph/compact/changeWords";
import type { Place } from "../../graph/graph";
import { type ChangeKind, changeKinds } from "../../shared/graphChanges";
import { type Outcome, reading } from "./outcome";
import type { BatchDone } from "./runBatch";

/** Of each kind, so many characters, and the first change however long it is. */
const room = 280;

export function summaryOf(done: BatchDone): string {
  return `${sentence(done)}${lostWords(done)}${leftWords(done)}${alongWords(done)}${openEnds(done)}${notChosenWords(done)}`;
}

/** `changed 3 KSampler steps=20→30; removed 5 VAEDecode`; empty where nothing became different. */
export function outcomeWords(outcome: Outcome, open: Place): string {
  return changeKinds.flatMap((kind) => phrase(kind, changesOf(kind, outcome, open))).join("; ");
}

function changesOf(kind: ChangeKind, outcome: Outcome, open: Place): string[] {
  const nodes = outcome[kind].map((change) => `${pathOf(change, open)} ${whatWords(change, open, reading)}`);
  const groups = outcome.groups
    .filter((change) => change.kind === kind)
    .map((change) => `${groupName(change)} (${groupWords(change, open)})`);
  return [...nodes, ...groups];
}

/** The fields of the result's data of which the summary tells all: models read them once. */
export function toldIn(done: BatchDone): string[] {
  const { stillUnconnected, notChosen, unchanged, plan, open } = done;
  const changes = changeKinds.map((kind) => changesOf(kind, done, open));
  const isChanged = changes.some(({ length }) => length > 0);
  const lists: [string, readonly string[]][] = [
    ["stillUnconnected", stillUnconnected],
    ["notChosen", notChosen],
    ["unchanged", isChanged ? [] : unchanged],
    ["notCarriedOver", plan.steps.flatMap(({ loses }) => loses ?? [])],
    ["notMoved", plan.steps.flatMap(({ leaves }) => leaves ?? [])],
  ];
  const told = lists.filter(([, items]) => items.length > 0 && isWhole(items)).map(([field]) => field);
  return changes.every(isWhole) ? ["changes", ...told] : told;
}

function isWhole(items: readonly string[]): boolean {
  return few(items) === items.join(", ");
}

/** What had no place in the node that took the part of another, or in no node any more. */
function lostWords({ plan }: BatchDone): string {
  const lost = plan.steps.flatMap(({ loses }) => loses ?? []);
  return lost.length === 0 ? "" : ` Not carried over: ${few(lost)}.`;
}

/** What one might expect to change and does not. */
function leftWords({ plan }: BatchDone): string {
  const left = plan.steps.flatMap(({ leaves }) => leaves ?? []);
  return left.length === 0 ? "" : ` Not moved: ${few(left)}.`;
}

function alongWords({ along }: BatchDone): string {
  return along.length === 0 ? "" : ` Not asked for, and changed by ComfyUI with it: ${few(along)}.`;
}

/** Appended to summaries. */
export function openEnds({ stillUnconnected }: BatchDone): string {
  return stillUnconnected.length === 0 ? "" : ` Still unconnected: ${few(stillUnconnected)}.`;
}

/** Appended to summaries. */
export function notChosenWords({ notChosen }: BatchDone): string {
  return notChosen.length === 0 ? "" : ` Not chosen by anybody: ${few(notChosen)}.`;
}

function sentence(done: BatchDone): string {
  const text = outcomeWords(done, done.open);
  const { unchanged } = done;
  if (text !== "") return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  return unchanged.length === 0
    ? "Done; nothing became different."
    : `Nothing became different: ${few(unchanged)}.`;
}

function phrase(verb: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${verb} ${few(items)}`];
}

function few(items: readonly string[]): string {
  let length = 0;
  const fitting = items.findIndex((item) => {
    length += item.length + 2;
    return length > room;
  });
  const shown = fitting < 0 ? items.length : Math.max(1, fitting);
  const rest = items.length - shown;
  return `${items.slice(0, shown).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
