/** What gets nothing any more where an edit bypasses or mutes nodes, or makes one active that others leave without. */

import type { Comfy } from "../../comfy/bridge";
import { findNode, type Graph, type GraphNode, type LinkTarget, type Place } from "../../graph/graph";
import { handedOn } from "../../graph/handedOn";
import { nodePath } from "../../graph/nodePath";
import type { PromptNodes } from "../../graph/prompt";
import { reasonOf } from "../../shared/reasonOf";
import { typeWord } from "../read/references";
import { decidingInput, installedIn, sourceOf } from "../validation/canvas";
import { findProblems } from "../validation/findProblems";
import type { Outcome } from "./outcome";

/** As `22.image gets nothing: 21 VAEDecode is bypassed`, of what would run; empty where no mode was switched. */
export async function starvedBy(comfy: Comfy, outcome: Outcome, open: Place): Promise<string[]> {
  const nodes = [
    ...outcome.added.filter(({ after }) => after && after.mode !== "active"),
    ...outcome.changed.filter(({ differences }) => differences.some(({ of }) => of === "mode")),
  ];
  const switched = new Set(
    nodes.flatMap(({ places, node }) => places.map((place) => [...place, node].join(":"))),
  );
  if (switched.size === 0) return [];
  const installed = installedIn(comfy);
  let prompt: PromptNodes;
  try {
    ({ nodes: prompt } = await comfy.queue.prompt());
  } catch (error) {
    // As ComfyUI's newer page does where a node without any input is bypassed.
    const why = reasonOf(error);
    return [`ComfyUI cannot make a prompt of the workflow now (${why})`];
  }
  const found = findProblems(prompt, installed).errors;
  const starved = found.flatMap(({ kind, node, input }) => {
    const at = kind === "nothing-handed-on" && node && input && decidingInput(installed, node, input);
    const source = at && sourceOf(at);
    if (!source) return [];
    const isSwitched = ({ id }: GraphNode) => switched.has([...at.place, id].join(":"));
    if (!isSwitched(at.node) && !leadsTo(source, at.graph, isSwitched)) return [];
    const named = `${nodePath(at.place, at.node.id, open)}.${at.name}`;
    return starvedWords(
      named,
      { place: at.place, node: source, to: { node: at.node.id, name: at.name } },
      open,
    );
  });
  const told = new Set(starved.map((words) => words.split(" ", 1)[0]));
  const left = nodes.flatMap(({ places: [place = []], node: id }) => {
    const node = switched.has([...place, id].join(":")) ? comfy.node(id, place) : undefined;
    if (!node || node.mode === "active") return [];
    return node.outputs
      .flatMap(({ linkedTo }) => linkedTo)
      .flatMap((to) => {
        const inputs = prompt[[...place, to.node].join(":")]?.inputs;
        const named = `${nodePath(place, to.node, open)}.${to.name}`;
        if (!inputs || to.name in inputs || told.has(named)) return [];
        return [starvedWords(named, { place, node, to }, open)];
      });
  });
  const hasNoOutput = found.some(({ kind }) => kind === "no-output");
  const tookOutput = outcome.changed.some(({ after }) => {
    return after && after.mode !== "active" && comfy.nodeDefinition(after.type)?.isOutput;
  });
  return [
    ...starved,
    ...left,
    ...(hasNoOutput && tookOutput ? ["no active node shows or saves a result"] : []),
  ];
}

interface Starving {
  place: Place;
  node: GraphNode;
  to: Pick<LinkTarget, "node" | "name">;
}

/** Of a muted node also what it would hand on if it was bypassed. */
function starvedWords(named: string, { place, node, to }: Starving, open: Place): string {
  const words = `${named} gets nothing: ${nodePath(place, node.id, open)} ${typeWord(node)} is ${node.mode}`;
  const output = node.outputs.findIndex(({ linkedTo }) =>
    linkedTo.some((each) => each.node === to.node && each.name === to.name),
  );
  const from = node.mode === "muted" ? handedOn(node, output)?.linkedFrom : undefined;
  return from ? `${words}; bypass hands on ${nodePath(place, from.node, open)}.${from.name}` : words;
}

/** Whether one of these is met from a node that is not active, through others that are not. */
function leadsTo(
  node: GraphNode,
  graph: Graph,
  isMeant: (node: GraphNode) => boolean,
  met = new Set<GraphNode>(),
): boolean {
  if (isMeant(node)) return true;
  if (met.has(node) || node.mode === "active") return false;
  met.add(node);
  return node.inputs.some(({ linkedFrom }) => {
    const source = linkedFrom && findNode(graph, linkedFrom.node);
    return source && leadsTo(source, graph, isMeant, met);
  });
}
