/** What an edit came to, in one line: all that is left of it once a conversation is condensed. */

import { groupName, groupWords, pathOf, whatWords } from "../../graph/compact/changeWords";
import { changeKinds } from "../../shared/graphChanges";
import type { BatchDone } from "./runBatch";

/** Of each kind, so many characters, and the first change however long it is. */
const room = 280;
const reading = { valueLength: 40 };

export function summaryOf(done: BatchDone): string {
  const { open } = done;
  const parts = changeKinds.flatMap((kind) => {
    const nodes = done[kind].map((change) => `${pathOf(change, open)} ${whatWords(change, open, reading)}`);
    const groups = done.groups
      .filter((change) => change.kind === kind)
      .map((change) => `${groupName(change)} (${groupWords(change, open)})`);
    return phrase(kind, [...nodes, ...groups]);
  });
  return `${sentence(parts, done)}${lostWords(done)}${alongWords(done)}${openEnds(done)}`;
}

/** What had no place in the node that took the part of another, or in no node any more. */
function lostWords({ plan }: BatchDone): string {
  const lost = plan.steps.flatMap(({ loses }) => loses ?? []);
  return lost.length === 0 ? "" : ` Not carried over: ${few(lost)}.`;
}

function alongWords({ along }: BatchDone): string {
  return along.length === 0 ? "" : ` Not asked for, and changed by ComfyUI with it: ${few(along)}.`;
}

/** Appended to summaries. */
export function openEnds({ stillUnconnected }: BatchDone): string {
  return stillUnconnected.length === 0 ? "" : ` Still unconnected: ${few(stillUnconnected)}.`;
}

function sentence(parts: readonly string[], { unchanged }: BatchDone): string {
  const text = parts.join("; ");
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
