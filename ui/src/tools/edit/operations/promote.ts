import { subgraphInput, subgraphOutput } from "../../../graph/graph";
import { freeName } from "../../../graph/pack";
import { promoteInput, promoteOutput } from "../../../graph/subgraphSlots";
import { inputReferred, nodeName, outputReferred } from "../../read/references";
import { ToolError } from "../../tool";
import type { DraftGraph } from "../draftGraphs";
import type { LiveGraph } from "../liveGraph";
import { defineOperation } from "../operation";
import { graphsAround, type PromotedSlot, promotedSlot, whichSlot } from "../promotion";
import { identityOf } from "../step";
import { vocabulary } from "../vocabulary";

interface PromoteRequest extends PromotedSlot {
  /** By default, the slot of the subgraph is called as the inner one is. */
  name?: string;
}

/** Shows a slot or widget of an inner node on the node of its subgraph. */
export const promote = defineOperation({
  name: "promote",
  fields: {
    to: vocabulary.to.optional(),
    from: vocabulary.from.optional(),
    title: vocabulary.title.optional(),
  },
  usual: ["to"],
  notes: {
    to: "promote shows a slot or widget inside a subgraph (12:5.seed) on its node, demote (12.seed) hides it.",
  },
  read: ({ title: name, ...given }): PromoteRequest => ({ ...promotedSlot(given), name }),
  *plan(draft, { side, reference, name }) {
    const [{ at, node }, slotName] = draft.owner(reference);
    const { scope } = at.graph;
    if (scope.kind !== "subgraph")
      throw new ToolError(
        `${nodeName(node)} lies in no subgraph.`,
        "Name a slot or widget of a node inside one, such as 12:5.seed.",
      );
    if (slotName === undefined) throw whichSlot(node, side);
    const graphs = graphsAround(draft, at);
    const touches = [identityOf(at, node.id)];
    if (side === "input") {
      const isNamed = ({ name: other }: { name: string }) => other === slotName;
      if (![...node.inputs, ...node.widgets].some(isNamed) && node.outputs.some(isNamed))
        throw new ToolError(`${slotName} of ${nodeName(node)} is an output.`, "Name it in from, not in to.");
      const { slot, index } = inputReferred(node, slotName);
      const source = slot.linkedFrom;
      if (source)
        throw new ToolError(
          source.node === subgraphInput
            ? `${slot.name} of ${nodeName(node)} is shown already, as ${source.name}.`
            : `${slot.name} of ${nodeName(node)} comes from ${source.node}.${source.name}.`,
          source.node === subgraphInput ? undefined : "Disconnect it first.",
        );
      const free = freeName(name ?? slot.name, scope.inputs ?? []);
      const to = { node: node.id, input: index };
      promoteInput(graphs, to, free);
      yield {
        at,
        touches,
        apply(editor, live) {
          live.hideUnasked(editor);
          editor.promoteInput(live.input(to), free);
          expectShown(at, live, "inputs", free);
        },
        check(live) {
          live.expectLinks(node.id);
          return [];
        },
      };
      return;
    }
    const { slot, index } = outputReferred(node, slotName);
    const shown = slot.linkedTo.find((link) => link.node === subgraphOutput);
    if (shown) throw new ToolError(`${slot.name} of ${nodeName(node)} is shown already, as ${shown.name}.`);
    const free = freeName(name ?? slot.name, scope.outputs);
    const from = { node: node.id, output: index };
    promoteOutput(graphs, from, free);
    yield {
      at,
      touches,
      apply(editor, live) {
        editor.promoteOutput(live.output(from), free);
        expectShown(at, live, "outputs", free);
      },
    };
  },
});

function expectShown({ place }: DraftGraph, live: LiveGraph, side: "inputs" | "outputs", name: string): void {
  if (!live.owner()?.[side].some((slot) => slot.name === name))
    throw new ToolError(`ComfyUI did not show ${name} on the subgraph's node ${place.join(":")}.`);
}
