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
import { isSameOutput } from "../../graph/links";
import { closesLoop } from "../../graph/loops";
import { acceptsType } from "../../graph/slotTypes";
import { type SlotReferred, typeWord } from "../read/references";
import { ToolError } from "../tool";
import type { Draft, LocatedSlot } from "./draft";
import type { DraftGraph, Located } from "./draftGraphs";
import { faultOf } from "./faults";
import { connectSlots } from "./operations/connect";
import { type Moved, sharedBy } from "./otherPasses";
import { byInputs, slotsMeant } from "./slotPair";
import type { Step } from "./step";
import type { LinkEnd, ThreadingPlace } from "./threadingPlace";

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
 * Through the middle go the links that are meant. Where it has another pair of slots, so do, of one link, that beside it
 * into an input of their name, else all links from the other output of the same source, else all from what was connected
 * to this input just now: to one of `given`. Of all links of an output, the other output comes first.
 */
export function threaded(
  draft: Draft,
  middle: Located,
  place: ThreadingPlace,
  given: readonly string[],
): Step[] {
  const { at, from } = place;
  const targets = place.to.filter(({ node }) => node !== middle.node);
  const [first, ...others] = targets;
  if (!first)
    throw new ToolError(
      `Nothing ${place.to.length > 0 ? "else " : ""}takes ${draft.slotPath(at, from.node, from.name)}.`,
      "Use add, with inputs.",
    );
  const main = mainPassage(draft, middle, from, first, given);
  const steps: Step[] = [];
  const lead = (from: LinkSource, input: SlotReferred<GraphInput>) => {
    if (!isSameOutput(input.slot.linkedFrom, from))
      steps.push(connectSlots(draft.outputAt(at, from), { ...middle, slot: input }));
  };
  const giveOn = (output: SlotReferred<GraphOutput>, to: LocatedSlot<GraphInput>) => {
    try {
      steps.push(connectSlots({ ...middle, slot: output }, to));
    } catch (error) {
      faultOf(error);
    }
  };
  lead(from, main.input);
  steps.push(connectSlots({ ...middle, slot: main.output }, first));
  for (const each of others) giveOn(main.output, each);
  const ways = [from];
  const past: GraphInput[] = [];
  const moved: Moved[] = [];
  for (const passage of otherPassages(middle.node, main)) {
    const way = wayThrough(draft, middle, passage, { ...place, to: targets }, given);
    if (!way) {
      past.push(passage.input.slot);
      continue;
    }
    ways.push(way.from);
    moved.push({ output: passage.output.slot.name, to: way.to });
    lead(way.from, passage.input);
    for (const to of way.to) giveOn(passage.output, draft.inputAt(at, to));
  }
  const meant = new Set(targets.map(({ node }) => node.id));
  const isThere = (node: NodeId) => findNode(at.graph, node) !== undefined;
  const leaves = () =>
    isThere(middle.node.id)
      ? [
          ...ways
            .filter(({ node }) => isThere(node))
            .flatMap((from) => leftBehind(draft, middle, from, moved, meant)),
          ...past.flatMap((input) => goingPast(draft, middle, input)),
        ]
      : [];
  return [...steps.slice(0, -1), ...steps.slice(-1).map((last) => ({ ...last, leaves }))];
}

/** What is written for an input that takes this very output goes before what is called alike. */
function mainPassage(
  draft: Draft,
  { at, node: middle }: Located,
  from: LinkSource,
  to: LinkEnd,
  given: readonly string[],
): Passage {
  const source = draft.outputAt(at, from);
  const isGiven = ({ name }: GraphInput) => given.some((each) => isAlike({ name: each }, { name }));
  const named = middle.inputs.findIndex((input) => isSameOutput(input.linkedFrom, from) && isGiven(input));
  const alike = middle.inputs.findIndex(
    (input) =>
      (isAlike(input, to.slot.slot) || isAlike(input, from)) &&
      acceptsType(input.type, source.slot?.slot.type ?? "*"),
  );
  const into = slotAt(middle.inputs, named < 0 ? alike : named);
  const { input } = slotsMeant(source.node, middle, source.slot, into, byInputs(draft.pathOf(source)));
  const out = middle.outputs.findIndex(
    (output) =>
      (isAlike(output, input.slot) || isAlike(output, to.slot.slot)) &&
      acceptsType(to.slot.slot.type, output.type),
  );
  return {
    input,
    output: slotsMeant(middle, to.node, slotAt(middle.outputs, out), to.slot, byConnect).output,
  };
}

const byConnect = () => "Use add, with inputs, and connect the output that is meant.";

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
  { from, to: targets, isWhole }: ThreadingPlace,
  given: readonly string[],
): Way | undefined {
  const own = input.linkedFrom;
  const source = draft.outputAt(at, from).node;
  const others = source.outputs.flatMap(({ name, type, linkedTo }, index) =>
    type === input.type && index !== from.output && (!isWhole || linkedTo.length > 0)
      ? [{ node: source.id, output: index, name }]
      : [],
  );
  const other = others.find((each) => isAlike(each, input)) ?? (others.length === 1 ? others[0] : undefined);
  const wayOfOther = own === undefined && other ? wayFrom(draft, at, other, middle) : undefined;
  if (isWhole && wayOfOther) return wayOfOther;
  const beside = targets.flatMap(({ node }) =>
    node.inputs.flatMap(({ name, type, linkedFrom }, index) =>
      isAlike({ name }, input) &&
      acceptsType(type, output.type) &&
      linkedFrom !== undefined &&
      linkedFrom.node !== middle.id &&
      (own === undefined || isSameOutput(own, linkedFrom))
        ? [{ from: linkedFrom, to: { node: node.id, input: index, name: input.name } }]
        : [],
    ),
  );
  const [first] = beside;
  if (first)
    return {
      from: first.from,
      to: beside.flatMap((each) => (isSameOutput(each.from, first.from) ? [each.to] : [])),
    };
  if (own)
    return given.some((name) => isAlike({ name }, input)) ? wayFrom(draft, at, own, middle) : undefined;
  return wayOfOther;
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
      node.outputs.flatMap(({ name, type, linkedTo }, output) => {
        const still = linkedTo.filter((to) => at.before.hasLink({ node: node.id, output, name }, to));
        return type === input.type && still.length > 0
          ? [
              `${draft.slotPath(at, node.id, name)} still goes into ${still.map((to) => draft.slotPath(at, to.node, to.name)).join(", ")} and could go through ${input.name} of the ${typeWord(middle)}, which is open`,
            ]
          : [];
      }),
    );
}

/** Links that still go the way around the middle, of those that were there before the batch. */
function leftBehind(
  draft: Draft,
  { at, node: middle }: Located,
  from: LinkSource,
  moved: readonly Moved[],
  meant: ReadonlySet<NodeId>,
): string[] {
  const path = ({ node: id, name }: { node: string; name: string }) =>
    `${draft.pathOf({ at, node: { ...middle, id } })}.${name}`;
  return wayFrom(draft, at, from, middle)
    .to.filter((to) => at.before.hasLink(from, to))
    .map((to) => {
      const words = `${path(to)} still takes ${path(from)}`;
      const shared = sharedBy(at.graph, to, moved, meant);
      if (!shared || ![shared.node, ...shared.by].every((id) => at.before.has(id))) return words;
      const [reader, ...by] = [shared.node, ...shared.by].map((id) =>
        draft.pathOf({ at, node: { ...middle, id } }),
      );
      return `${words}, but ${reader} gets ${shared.output} of the ${typeWord(middle)} by ${by.join(", ")}`;
    });
}

function slotAt<Slot>(slots: readonly Slot[], index: number): SlotReferred<Slot> | undefined {
  const slot = slots[index];
  return slot && { slot, index };
}

function isAlike(one: { name: string }, other: { name: string }): boolean {
  return one.name.toLowerCase() === other.name.toLowerCase();
}
