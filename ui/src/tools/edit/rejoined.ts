/** Links past a node that is taken out: what it took goes on to what took it from there, as with ComfyUI's own Delete key. */

import type { Difference } from "../../graph/compact/changes";
import type { LinkSource, LinkTarget } from "../../graph/graph";
import { handedOn } from "../../graph/handedOn";
import { drawLink, isSameOutput, sourceSlot, targetSlot } from "../../graph/links";
import { nodePath } from "../../graph/nodePath";
import { acceptsType } from "../../graph/slotTypes";
import type { BatchDone } from "./batch";
import type { DraftGraph, Located } from "./draftGraphs";
import type { Step } from "./step";

/** A link past a node that is taken out. */
export interface Join {
  from: LinkSource;
  to: LinkTarget;
}

/** What passes through the node, while it still has its links. */
export function joinsPast({ at, node }: Located): Join[] {
  return node.outputs.flatMap(({ linkedTo }, output) => {
    const from = handedOn(node, output)?.linkedFrom;
    const source = from && sourceSlot(at.graph, from);
    if (!source) return [];
    return linkedTo
      .filter((to) => acceptsType(targetSlot(at.graph, to)?.type ?? "", source.type))
      .map((to) => ({ from, to }));
  });
}

/** To be carried out before the node goes. What a node does not take of it is told with what stays open. */
export function joined(at: DraftGraph, joins: readonly Join[]): Step[] {
  return joins.map((join) => {
    const { from, to } = join;
    drawLink(at.graph, from, to);
    return {
      at,
      touches: [],
      joins: join,
      apply: (editor, live) => void editor.connect(live.output(from, from.name), live.input(to, to.name)),
    };
  });
}

interface Joined {
  /** As `6.model<1.MODEL`. */
  words: string;
  difference: Difference;
}

/** Those that are there when all is done, with the differences that tell the same. */
export function joinedBy({ plan, changed, idOf, open }: BatchDone): Joined[] {
  return plan.steps.flatMap(({ at, joins }) => {
    if (!joins) return [];
    const { from, to } = joins;
    const target = targetSlot(at.graph, to);
    if (target?.name !== to.name || !isSameOutput(target.linkedFrom, from)) return [];
    const change = changed.find(({ graph, node }) => graph === at.definition && node === idOf(to.node));
    const difference = change?.differences.find(
      (each) => each.of === "link" && each.input === to.name && each.after,
    );
    const path = (id: string) => nodePath(at.place.map(idOf), idOf(id), open);
    return difference
      ? [{ words: `${path(to.node)}.${to.name}<${path(from.node)}.${from.name}`, difference }]
      : [];
  });
}
