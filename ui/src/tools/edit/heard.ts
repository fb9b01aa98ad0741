import { nodePath } from "../../graph/nodePath";
import { type ValueSource, valueSource } from "../../graph/valueSource";
import { ToolError } from "../tool";
import type { Draft, Located } from "./draft";

/** Throws a ToolError where a link feeds this widget: a value of its own would have no effect. */
export function expectHeard(draft: Draft, { at, node }: Located, widget: string): void {
  const open = draft.comfy.openPlace();
  const graphs = { at: (place: readonly string[]) => draft.graphAt(place).graph, open };
  const source = valueSource(graphs, at.place, node, widget);
  if (source) throw unheard(`${nodePath(at.place, node.id, open)}.${widget}`, source);
}

function unheard(slot: string, { from, widget }: ValueSource): ToolError {
  return new ToolError(
    `${slot} comes from ${from.join(", and that from ")}: a value of its own has no effect.`,
    `${widget === undefined ? "Disconnect" : `Set ${widget}, or disconnect`} ${slot} first.`,
  );
}
