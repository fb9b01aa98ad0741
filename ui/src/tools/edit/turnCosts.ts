/** What a turn takes from the workflow, added up: little by little is asked about like all at once. */

import type { Comfy } from "../../comfy/bridge";
import type { ApprovalRequest } from "../../shared/toolCalls";
import { costQuestion } from "./costQuestion";
import { isOfTurn, isOwn, nameOf } from "./ownNodes";
import type { BatchPlan } from "./planBatch";
import { identityOf } from "./step";

/** A turn that takes more nodes than this is asked about. */
const fewNodes = 3;

interface Cost {
  /** Undefined where the person need not be asked. */
  question?: ApprovalRequest;
  nodes: readonly string[];
}

/** What turns have taken without asking, by their names. */
const taken = new WeakMap<Comfy["whole"], Map<string, Set<string>>>();

/** What a turn has added itself is no loss; to delete one that the assistant has not added needs a yes of its own. */
export function costOf(comfy: Comfy, { steps, draft }: BatchPlan, turn: string | undefined): Cost {
  const costly = steps.flatMap(({ at, costs }) =>
    (costs?.nodes ?? []).flatMap((node) => {
      const identity = identityOf(at, node.id);
      if (!costs || draft.isNew(node.id) || isOfTurn(comfy, identity, turn)) return [];
      return [
        {
          act: costs.act,
          by: costs.by,
          node,
          place: at.place,
          key: comfy.workflow().key + nameOf(identity),
          isOwn: isOwn(comfy, identity),
        },
      ];
    }),
  );
  const nodes = costly.map(({ key }) => key);
  const all = new Set([...takenIn(comfy, turn), ...nodes]).size;
  const isLoss = costly.some(({ act, isOwn }) => act === "delete" && !isOwn);
  if (costly.length === 0 || (all <= fewNodes && !isLoss)) return { nodes };
  const inAll = all > new Set(nodes).size ? all : undefined;
  return { question: costQuestion(costly, comfy.workflow().key, inAll), nodes };
}

/** They were taken, and the person was not asked. */
export function addUp(comfy: Comfy, nodes: readonly string[], turn: string | undefined): void {
  const earlier = takenIn(comfy, turn);
  for (const node of nodes) earlier.add(node);
}

function takenIn(comfy: Comfy, turn: string | undefined): Set<string> {
  if (turn === undefined) return new Set();
  const turns = taken.get(comfy.whole) ?? new Map<string, Set<string>>();
  taken.set(comfy.whole, turns);
  const nodes = turns.get(turn) ?? new Set();
  turns.set(turn, nodes);
  return nodes;
}
