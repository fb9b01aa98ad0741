/** Texts that a batch of edits writes and that could be drawn as something else than they say. */

import { isRead } from "../../graph/laterFields";
import { seen } from "../../shared/quoted";
import { nodeNameAsked } from "../read/references";
import type { BatchPlan } from "./planBatch";

export interface WrittenText {
  /** As a question names the node. */
  node: string;
  type: string;
  input: string;
  text: string;
}

/** What every picture of Markdown has, every tag, and what may stand for one. */
const markup = /!\[|<[a-z!?]|&[#\w]/i;

export function hasMarkup(text: string): boolean {
  return markup.test(text);
}

/** By their look alone: most texts have nothing of the kind. */
export function markupWritten({ draft }: BatchPlan): WrittenText[] {
  return [...draft.graphs.values()].flatMap(({ graph, before }) =>
    // What the batch has not looked at, it has not written.
    graph.nodes
      .filter((node) => isRead(node, "widgets"))
      .flatMap((node) =>
        node.widgets.flatMap(({ name, value }) => {
          const was = before.valuesOf(node.id)?.find((widget) => widget.name === name)?.value;
          if (JSON.stringify(was) === JSON.stringify(value)) return [];
          const called = draft.isNew(node.id) ? `A new ${seen(node.type)}` : nodeNameAsked(node);
          return textsIn(value)
            .filter(hasMarkup)
            .map((text) => ({ node: called, type: node.type, input: name, text }));
        }),
      ),
  );
}

/** All of them, however deep in lists and objects. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
}
