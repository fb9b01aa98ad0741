import type { Place } from "../../graph/graph";
import { type ValueSource, valueSource } from "../../graph/valueSource";
import { ToolError } from "../tool";
import type { Draft, Located } from "./draft";

/** Throws a ToolError where a link feeds this widget: a value of its own would have no effect. */
export function expectHeard(draft: Draft, located: Located, widget: string): void {
  const { at, node } = located;
  const graphs = {
    at: (place: Place) => draft.graphAt(place).graph,
    open: draft.comfy.openPlace(),
  };
  const source = valueSource(graphs, at.place, node, widget);
  if (source) throw unheard(`${draft.pathOf(located)}.${widget}`, source);
}

function unheard(slot: string, { from, widget }: ValueSource): ToolError {
  return new ToolError(
    `${slot} comes from ${from.join(", and that from ")}: a value of its own has no effect.`,
    `${widget === undefined ? "Disconnect" : `Set ${widget}, or disconnect`} ${slot} first.`,
  );
}
