/** What an edit took from inputs that no wire feeds: the node in between is gone, or hands on something else. */

import { nodeWords, pathOf } from "../../graph/compact/changeWords";
import { graphsMet, typeOf } from "../../graph/compact/graphsMet";
import { withUnwired } from "../../graph/compact/unwired";
import { type CompactNode, type CompactWorkflow, scopes } from "../../graph/compact/workflow";
import { sourceWord } from "../../graph/compact/write";
import type { NodeId, Place } from "../../graph/graph";
import type { UnwiredLink } from "../../graph/unwired";
import type { Outcome } from "./outcome";

export interface Edited {
  /** The links without a wire as they are now. */
  feeds: readonly UnwiredLink[];
  shown: CompactWorkflow | undefined;
  after: CompactWorkflow;
  /** The open inputs of what this has changed are told with it. */
  outcome: Outcome;
  open: Place;
}

export interface AfterEdit {
  /** With the links that no wire draws, where some were known. */
  workflow: CompactWorkflow;
  lost: string[];
}

/** `shown` is what the model has seen before: where that has no such links, none is looked for. */
export function lostFeeds({ feeds, shown, after, outcome, open }: Edited): AfterEdit {
  const hadSome =
    shown && scopes(shown).some(({ graph }) => graph.nodes.some((node) => unwired(node).length > 0));
  if (!hadSome) return { workflow: after, lost: [] };
  const workflow = withUnwired(after, feeds);
  const earlier = graphsMet(shown);
  const isChanged = (graph: string | undefined, id: NodeId) =>
    outcome.changed.some((change) => change.graph === graph && change.node === id);
  const lost = [...graphsMet(workflow)].flatMap(([id, { graph, places, subgraphOf }]) =>
    graph.nodes.flatMap((node) => {
      const was = earlier.get(id)?.graph.nodes.find((each) => each.id === node.id);
      const which = { graph: id, places, node: node.id, type: typeOf(node, subgraphOf(node)) };
      return (was?.type === node.type ? unwired(was) : []).flatMap(({ input, source }) => {
        if (node.mode !== "active") return [];
        if (input === "")
          return unwired(node).length > 0 ? [] : [`${nodeWords(which, open)} takes nothing now`];
        return node.remarks?.openInputs?.includes(input) && !isChanged(id, node.id)
          ? [
              `${pathOf(which, open)}.${input} needs a source: node ${sourceWord(source)} is handed on to it no more`,
            ]
          : [];
      });
    }),
  );
  return { workflow, lost };
}

function unwired({ links }: CompactNode): CompactNode["links"] {
  return links.filter((link) => link.unwired);
}
