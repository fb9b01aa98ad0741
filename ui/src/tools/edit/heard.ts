import type { GraphNode, Place } from "../../graph/graph";
import { partsOf, type ValueSource, valueSource } from "../../graph/valueSource";
import { ToolError } from "../tool";
import type { Draft } from "./draft";
import type { Located } from "./draftGraphs";

/** Throws a ToolError where a link feeds this widget: a value of its own would have no effect. */
export function expectHeard(draft: Draft, located: Located, widget: string): void {
  const { at, node } = located;
  const graphs = {
    at: (place: Place) => draft.graphAt(place).graph,
    open: draft.comfy.openPlace(),
    unwired: (_: Place, fed: GraphNode, input: string) => draft.feedOf(at, fed, input),
  };
  const source = valueSource(graphs, at.place, node, widget);
  const link = node.inputs.find(({ name }) => name === widget)?.linkedFrom;
  const parts = link && source && !source.widget ? partsOf(graphs, at.place, link) : [];
  if (source) throw unheard(`${draft.pathOf(located)}.${widget}`, source, parts);
}

/** More of them say nothing about which is meant. */
const mostParts = 4;

function unheard(slot: string, { from, widget, unwired }: ValueSource, parts: readonly string[]): ToolError {
  const source = from.join(", and that from ");
  const where = widget ?? (parts.length > mostParts ? "" : parts.join(" or "));
  const [, node, name] = /^(.*?)\.(.*)$/s.exec(widget ?? "") ?? [];
  const fitting = node !== undefined && name !== undefined ? { node, widget: name } : {};
  if (unwired !== undefined)
    return new ToolError(
      `${slot} comes from ${source} without a wire${unwired && `, handed on by node ${unwired}`}: a value of its own has no effect.`,
      `${widget === undefined ? `Set it where ${from.at(-1)} comes from` : `Set ${widget}`}${unwired && `, or remove node ${unwired}`}, or connect something else to ${slot}.`,
      [],
      { fitting },
    );
  return new ToolError(
    `${slot} comes from ${source}: a value of its own has no effect.`,
    `${where === "" ? "Disconnect" : `Set ${where}, or disconnect`} ${slot} first.`,
    [],
    { fitting },
  );
}
