/** What stops no run but may be an accident: bypassed nodes on its way, results that go nowhere. */

import { findNode, type NodeId } from "../../graph/graph";
import { linkedNode, type PromptNodes } from "../../graph/prompt";
import { typeWord } from "../read/references";
import { type Installed, nodeAt, path, placeOf } from "./canvas";

/** Each bypassed node that something in the run is linked to, with the inputs that get nothing by it. */
export function bypassedOnTheWay(
  nodes: PromptNodes,
  needed: ReadonlySet<NodeId>,
  installed: Installed,
): string[] {
  const found = new Map<string, string[]>();
  for (const id of needed) {
    const place = placeOf(id);
    const graph = installed.graphAt(place);
    for (const { name, linkedFrom } of nodeAt(installed, id)?.inputs ?? []) {
      const source = graph && linkedFrom && findNode(graph, linkedFrom.node);
      if (source?.mode !== "bypassed") continue;
      const words = `${path(place, source.id)} ${typeWord(source)}`;
      const without = found.get(words) ?? [];
      found.set(words, without);
      if (linkedNode(nodes[id]?.inputs[name]) === undefined) without.push(`${id}.${name}`);
    }
  }
  return [...found].map(([words, without]) =>
    without.length === 0 ? words : `${words}: nothing reaches ${without.join(", ")}`,
  );
}

/** Outputs at the end of what leads to no output node: `112.IMAGE`. */
export function looseResults(
  nodes: PromptNodes,
  idle: readonly NodeId[],
  { definitionOf }: Installed,
): string[] {
  const used = new Set(
    Object.values(nodes).flatMap(({ inputs }) =>
      Object.values(inputs).flatMap((value) => linkedNode(value) ?? []),
    ),
  );
  return idle
    .filter((id) => !used.has(id))
    .flatMap((id) =>
      (definitionOf(nodes[id]?.class_type ?? "")?.outputs ?? [])
        .slice(0, 1)
        .map(({ name }) => `${id}.${name}`),
    );
}
