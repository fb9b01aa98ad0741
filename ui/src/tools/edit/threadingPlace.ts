/** Where a node is put in between: on the link into an input, or on all links of an output. */

import type { GraphInput, GraphOutput, LinkSource } from "../../graph/graph";
import { nodeName, type SlotReferred } from "../read/references";
import { attempt, ToolError } from "../toolError";
import type { Draft, LocatedSlot, SlotReference } from "./draft";
import type { DraftGraph, Located } from "./draftGraphs";
import { linkMeant } from "./linkMeant";

export interface LinkEnd extends Located {
  slot: SlotReferred<GraphInput>;
}

export interface ThreadingPlace {
  at: DraftGraph;
  from: LinkSource;
  /** The inputs that take it. */
  to: readonly LinkEnd[];
  /** Of an output, all of whose links are meant. */
  isWhole: boolean;
}

/** `to` is an input, unless only an output has exactly that name or there is no such input. Where both have links it has to be said. */
export function placeMeant(
  draft: Draft,
  to: SlotReference | undefined,
  from: SlotReference | undefined,
): ThreadingPlace {
  if (typeof to === "string" && from === undefined) expectOneMeant(draft, to);
  const source = from === undefined ? outputMeant(draft, to) : draft.output(from);
  if (source && (to === undefined || from === undefined)) return behind(draft, source);
  const sink = draft.input(to ?? "");
  const { at, node } = sink;
  const { input, linked } = linkMeant(sink);
  const there = input?.slot.linkedFrom;
  if (!input || !there)
    throw new ToolError(
      `There is no link into ${input ? `${input.slot.name} of ` : ""}${nodeName(node)} to insert on.`,
      linked.length > 0
        ? `Its inputs with a link: ${linked.map((each) => each.slot.name).join(", ")}.`
        : "Use connect; or, where it is fed without a wire, as image<1(via 3), insert at the input of node 3.",
    );
  const isOther =
    source && (source.node.id !== there.node || (source.slot && source.slot.index !== there.output));
  if (isOther)
    throw new ToolError(
      `${input.slot.name} of ${nodeName(node)} takes ${draft.slotPath(at, there.node, there.name)}, no other output.`,
      "Leave from out.",
    );
  return { at, from: there, to: [{ at, node, slot: input }], isWhole: false };
}

/** Throws a ToolError where the name is that of an input and of an output, and both have links. */
function expectOneMeant(draft: Draft, to: string): void {
  const input = attempt(() => draft.input(to));
  const output = attempt(() => draft.output(to))?.slot;
  const there = input?.slot?.slot;
  if (!input || !there?.linkedFrom || !output || there.name !== output.slot.name) return;
  if (output.slot.linkedTo.length === 0 || !to.endsWith(`.${there.name}`)) return;
  const source = draft.slotPath(input.at, there.linkedFrom.node, there.linkedFrom.name);
  throw new ToolError(
    `${there.name} is an input of ${nodeName(input.node)} and an output.`,
    `Before the node: from ${source}, to ${to}. Behind it: from ${to}, without to.`,
  );
}

/** The output that `to` names. */
export function outputMeant(
  draft: Draft,
  to: SlotReference | undefined,
): LocatedSlot<GraphOutput> | undefined {
  if (typeof to !== "string") return undefined;
  const [input, output] = [attempt(() => draft.input(to)), attempt(() => draft.output(to))];
  const isExact = (slot: { name: string } | undefined) => slot !== undefined && to.endsWith(`.${slot.name}`);
  const named = input?.slot?.slot;
  const isOpen = named && !named.linkedFrom && (output?.slot?.slot.linkedTo.length ?? 0) > 0;
  const isInput = input && (!output?.slot || (isExact(named) && !isOpen) || !isExact(output.slot.slot));
  return isInput ? undefined : output;
}

function behind(draft: Draft, { at, node, slot }: LocatedSlot<GraphOutput>): ThreadingPlace {
  const linked = node.outputs.flatMap((each, index) =>
    each.linkedTo.length > 0 ? [{ slot: each, index }] : [],
  );
  const output = slot ?? (linked.length === 1 ? linked[0] : undefined);
  if (!output)
    throw new ToolError(
      `Which output of ${nodeName(node)}?`,
      `Its outputs: ${node.outputs.map(({ name }) => name).join(", ")}.`,
    );
  const { name, linkedTo } = output.slot;
  return {
    at,
    from: { node: node.id, output: output.index, name },
    to: linkedTo.flatMap((each) => {
      const { node, slot } = draft.inputAt(at, each);
      return slot ? [{ at, node, slot }] : [];
    }),
    isWhole: true,
  };
}
