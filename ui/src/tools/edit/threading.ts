/** A node put into a link, and into the other links that go the same way: a LoRA takes the model and the encoder. */

import {
  findNode,
  type GraphInput,
  type GraphNode,
  type GraphOutput,
  type LinkSource,
  type LinkTarget,
  type NodeId,
} from "../../graph/graph";
import { closesLoop } from "../../graph/loops";
import { acceptsType } from "../../graph/slotTypes";
import { type SlotReferred, typeWord } from "../read/references";
import type { Draft } from "./draft";
import type { DraftGraph, Located } from "./draftGraphs";
import { faultOf } from "./faults";
import { connectSlots } from "./operations/connect";
import { slotsMeant } from "./slotPair";
import type { Step } from "./step";

interface LinkInto extends Located {
  slot: SlotReferred<GraphInput>;
  from: LinkSource;
}

/** An input of the node in the middle, and its output that takes the part of what comes in there. */
interface Passage {
  input: SlotReferred<GraphInput>;
  output: SlotReferred<GraphOutput>;
}

/** Some links from one output. */
interface Way {
  from: LinkSource;
  to: readonly LinkTarget[];
}

/**
 * Through the middle goes the link that is meant. Where it has another pair of slots, so do the link beside that one
 * into an input of their name, else all links from the other output of the same source, else all from what was
 * connected to this input just now: to one of `given`.
 */
export function threaded(draft: Draft, middle: Located, link: LinkInto, given: readonly string[]): Step[] {
  const { at } = middle;
  const main = mainPassage(draft, middle, link);
  const steps: Step[] = [];
  const lead = (from: LinkSource, input: SlotReferred<GraphInput>) => {
    const { linkedFrom } = input.slot;
    if (linkedFrom?.node !== from.node || linkedFrom.output !== from.output)
      steps.push(connectSlots(draft.outputAt(at, from), { ...middle, slot: input }));
  };
  lead(link.from, main.input);
  steps.push(connectSlots({ ...middle, slot: main.output }, link));
  const ways = [link.from];
  const past: GraphInput[] = [];
  for (const passage of otherPassages(middle.node, main)) {
    const way = wayThrough(draft, middle, passage, link, given);
    if (!way) {
      past.push(passage.input.slot);
      continue;
    }
    ways.push(way.from);
    lead(way.from, passage.input);
    for (const to of way.to)
      try {
        steps.push(connectSlots({ ...middle, slot: passage.output }, draft.inputAt(at, to)));
      } catch (error) {
        faultOf(error);
      }
  }
  const isThere = (node: NodeId) => findNode(at.graph, node) !== undefined;
  const leaves = () =>
    isThere(middle.node.id)
      ? [
          ...ways.filter(({ node }) => isThere(node)).flatMap((from) => leftBehind(draft, middle, from)),
          ...past.flatMap((input) => goingPast(draft, middle, input)),
        ]
      : [];
  return [...steps.slice(0, -1), ...steps.slice(-1).map((last) => ({ ...last, leaves }))];
}

function mainPassage(
  draft: Draft,
  { at, node: middle }: Located,
  { node, slot: to, from }: LinkInto,
): Passage {
  const source = draft.outputAt(at, from);
  const into = middle.inputs.findIndex(
    (input) =>
      (isAlike(input, to.slot) || isAlike(input, from)) &&
      acceptsType(input.type, source.slot?.slot.type ?? "*"),
  );
  const { input } = slotsMeant(source.node, middle, source.slot, slotAt(middle.inputs, into));
  const out = middle.outputs.findIndex(
    (output) =>
      (isAlike(output, input.slot) || isAlike(output, to.slot)) && acceptsType(to.slot.type, output.type),
  );
  return { input, output: slotsMeant(middle, node, slotAt(middle.outputs, out), to).output };
}

function otherPassages({ inputs, outputs }: GraphNode, main: Passage): Passage[] {
  const open = inputs.flatMap((slot, index) =>
    slot.isWidget || index === main.input.index ? [] : [{ slot, index }],
  );
  const unused = outputs.flatMap((slot, index) => (index === main.output.index ? [] : [{ slot, index }]));
  return open.flatMap((input) => {
    const isFitting = (each: SlotReferred<GraphInput | GraphOutput>) => each.slot.type === input.slot.type;
    const fitting = unused.filter(isFitting);
    const isOnly = fitting.length === 1 && open.filter(isFitting).length === 1;
    const output = fitting.find(({ slot }) => isAlike(slot, input.slot)) ?? (isOnly ? fitting[0] : undefined);
    return output ? [{ input, output }] : [];
  });
}

function wayThrough(
  draft: Draft,
  { at, node: middle }: Located,
  { input: { slot: input }, output: { slot: output } }: Passage,
  { node: target, from }: LinkInto,
  given: readonly string[],
): Way | undefined {
  const own = input.linkedFrom;
  const beside = target.inputs.findIndex(
    ({ name, type, linkedFrom }) =>
      isAlike({ name }, input) &&
      acceptsType(type, output.type) &&
      linkedFrom !== undefined &&
      linkedFrom.node !== middle.id &&
      (own === undefined || (own.node === linkedFrom.node && own.output === linkedFrom.output)),
  );
  const besideSource = target.inputs[beside]?.linkedFrom;
  if (besideSource) return { from: besideSource, to: [{ node: target.id, input: beside, name: input.name }] };
  if (own)
    return given.some((name) => isAlike({ name }, input)) ? wayFrom(draft, at, own, middle) : undefined;
  const source = draft.outputAt(at, from).node;
  const others = source.outputs.flatMap(({ name, type }, index) =>
    type === input.type && index !== from.output ? [{ node: source.id, output: index, name }] : [],
  );
  const other = others.find((each) => isAlike(each, input)) ?? (others.length === 1 ? others[0] : undefined);
  return other && wayFrom(draft, at, other, middle);
}

function wayFrom(draft: Draft, at: DraftGraph, from: LinkSource, middle: GraphNode): Way {
  const to = draft.outputAt(at, from).slot?.slot.linkedTo ?? [];
  return { from, to: to.filter(({ node }) => node !== middle.id) };
}

/** What could go through a pair of the middle's slots that the link which is meant says nothing of. */
function goingPast(draft: Draft, { at, node: middle }: Located, input: GraphInput): string[] {
  if (input.isOptional || input.linkedFrom) return [];
  return at.graph.nodes
    .filter(({ id }) => id !== middle.id && !closesLoop(at.graph, id, middle.id))
    .flatMap((node) =>
      node.outputs.flatMap(({ name, type, linkedTo }) =>
        type === input.type && linkedTo.length > 0
          ? [
              `${draft.slotPath(at, node.id, name)} still goes into ${linkedTo.map((to) => draft.slotPath(at, to.node, to.name)).join(", ")} and could go through ${input.name} of the ${typeWord(middle)}, which is open`,
            ]
          : [],
      ),
    );
}

/** Links that still go the way around the middle. */
function leftBehind(draft: Draft, { at, node: middle }: Located, from: LinkSource): string[] {
  const path = ({ node: id, name }: { node: string; name: string }) =>
    `${draft.pathOf({ at, node: { ...middle, id } })}.${name}`;
  return wayFrom(draft, at, from, middle).to.map((to) => `${path(to)} still takes ${path(from)}`);
}

function slotAt<Slot>(slots: readonly Slot[], index: number): SlotReferred<Slot> | undefined {
  const slot = slots[index];
  return slot && { slot, index };
}

function isAlike(one: { name: string }, other: { name: string }): boolean {
  return one.name.toLowerCase() === other.name.toLowerCase();
}
