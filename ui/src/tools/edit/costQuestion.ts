/** What a person is asked before a batch takes nodes: each with what happens to it. */

import { nameWord } from "../../graph/compact/words";
import type { GraphNode, Place } from "../../graph/graph";
import { amountOf } from "../../shared/amounts";
import { seen } from "../../shared/quoted";
import { sentences } from "../../shared/sentences";
import { type ApprovalRequest, type AskedNode, type AskedWords, plainWords } from "../../shared/toolCalls";
import { nodeNameAsked } from "../read/references";
import type { CostlyAct } from "./step";

/** More nodes than these are counted in the title, and named below it. */
const mostInTitle = 6;
const mostNamed = 30;

export interface CostlyNode {
  act: CostlyAct;
  /** The type that takes its place. */
  by?: string | undefined;
  node: GraphNode;
  place: Place;
}

/** `inAll` counts what the turn has taken before, too, where that is more. */
export function costQuestion(
  costly: readonly CostlyNode[],
  workflow: string,
  inAll: number | undefined,
): ApprovalRequest {
  const isShort = costly.length <= mostInTitle;
  const title = capitalised([...(isShort ? namesByAct(costly) : countsByAct(costly)), "?"]);
  const named = costly.slice(0, mostNamed);
  const more = costly.length > named.length ? ` and ${costly.length - named.length} more` : "";
  const names = actsIn(costly).length > 1 ? namesByAct(named) : listed(named);
  const sum = inAll === undefined ? "" : `With what this turn did before: ${amountOf(inAll, "node")}.`;
  const detail = isShort ? [sum] : [...capitalised(names), sentences(`${more}.`, sum)];
  return {
    title: plainWords(title),
    ...(plainWords(detail) && { detail: plainWords(detail) }),
    pointing: { title, detail, workflow },
  };
}

function actsIn(costly: readonly CostlyNode[]): (readonly [CostlyNode, ...CostlyNode[]])[] {
  const groups = Map.groupBy(costly, ({ act, by }) => JSON.stringify([act, by]));
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []));
}

function namesByAct(costly: readonly CostlyNode[]): AskedWords {
  return joined(actsIn(costly).map((nodes) => [`${nodes[0].act} `, ...listed(nodes), ...behind(nodes[0])]));
}

function countsByAct(costly: readonly CostlyNode[]): AskedWords {
  return joined(
    actsIn(costly).map((nodes) => [`${nodes[0].act} ${amountOf(nodes.length, "node")}`, ...behind(nodes[0])]),
  );
}

function behind({ act, by }: CostlyNode): readonly string[] {
  if (by !== undefined) return [` by ${seen(by)}`];
  return act === "wrap" ? [" in a subgraph"] : [];
}

function listed(costly: readonly CostlyNode[]): AskedWords {
  return joined(costly.map(({ node, place }) => [askedNode(node, place)]));
}

function askedNode(node: GraphNode, place: Place): AskedNode {
  const path = place.length === 0 ? `/${node.id}` : [...place, node.id].join(":");
  return { words: nodeNameAsked(node), path, type: nameWord(node.type) };
}

function joined(parts: readonly AskedWords[]): AskedWords {
  return parts.flatMap((words, index) => (index === 0 ? words : [", ", ...words]));
}

/** They begin with an act. */
function capitalised([first = "", ...others]: AskedWords): AskedWords {
  return typeof first === "string"
    ? [first.charAt(0).toUpperCase() + first.slice(1), ...others]
    : [first, ...others];
}
