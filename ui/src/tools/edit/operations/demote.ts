import { type GraphNode, subgraphInput } from "../../../graph/graph";
import { removeSubgraphInput, removeSubgraphOutput, type SubgraphGraphs } from "../../../graph/subgraphSlots";
import { inputReferred, nodeName, outputReferred } from "../../read/references";
import { ToolError } from "../../tool";
import type { DraftGraph, Located } from "../draftGraphs";
import { defineOperation } from "../operation";
import { graphsAround, promotedSlot, shownMeant, whichSlot } from "../promotion";
import { identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";
import { setWidget } from "./set";

/** Takes a slot or shown widget from the node of a subgraph. */
export const demote = defineOperation({
  name: "demote",
  fields: { to: vocabulary.to.optional(), from: vocabulary.from.optional() },
  usual: ["to"],
  read: promotedSlot,
  *plan(draft, { side, reference }) {
    const [located, slotName] = draft.owner(reference);
    const { at, node } = located;
    if (!node.subgraph) throw new ToolError(`${nodeName(node)} is no subgraph.`);
    if (slotName === undefined) throw whichSlot(node, side);
    const shown = side === "input" ? shownMeant(node, slotName) : undefined;
    if (shown !== undefined) {
      yield hide(located, "input", shown);
      return;
    }
    const inner = draft.graphAt([...at.place, node.id]);
    const graphs = graphsAround(draft, inner);
    if (side === "output") {
      const { slot } = outputReferred(node, slotName);
      const loses = slot.linkedTo.map((link) => `${node.id}.${slot.name}>${link.node}.${link.name}`);
      removeSubgraphOutput(graphs, slot.name);
      yield { ...hide(located, "output", slot.name), loses };
      return;
    }
    const { name, linkedFrom } = inputReferred(node, slotName).slot;
    const handedOn = linkedFrom ? [] : handOn(inner, node, name);
    const loses = [
      ...(linkedFrom ? [`${node.id}.${name}<${linkedFrom.node}.${linkedFrom.name}`] : []),
      ...otherValues(graphs, node, name),
    ];
    removeSubgraphInput(graphs, name);
    yield { ...hide(located, "input", name), loses };
    yield* handedOn;
  },
});

function hide({ at, node }: Located, side: "input" | "output", name: string): Step {
  return {
    at,
    touches: [identityOf(at, node.id)],
    apply: (editor, { ids }) => editor.demote(ids.of(node.id), side, name),
  };
}

/** What a widget of the subgraph held goes to the inner nodes that it was for. */
function handOn(inner: DraftGraph, outer: GraphNode, name: string): Step[] {
  const value = outer.widgets.find((widget) => widget.name === name)?.value;
  if (value === undefined || value === null) return [];
  return inner.graph.nodes.flatMap((node) =>
    node.inputs
      .filter(({ linkedFrom }) => linkedFrom?.node === subgraphInput && linkedFrom.name === name)
      .filter((input) => node.widgets.some((widget) => widget.name === input.name))
      .map((input) => setWidget({ at: inner, node }, input.name, value)),
  );
}

/** All nodes of a subgraph share what is inside: of their values only one can go there. */
function otherValues({ outer }: SubgraphGraphs, node: GraphNode, name: string): string[] {
  const held = ({ widgets }: GraphNode) => widgets.find((widget) => widget.name === name)?.value;
  const kept = JSON.stringify(held(node));
  return outer
    .flatMap(({ nodes }) => nodes)
    .filter((each) => each.subgraph?.id === node.subgraph?.id && JSON.stringify(held(each)) !== kept)
    .map((each) => `${each.id}.${name}=${JSON.stringify(held(each))}`);
}
