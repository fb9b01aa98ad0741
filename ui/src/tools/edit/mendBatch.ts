/** Of a batch that is refused: the one that would fit, ready to be sent. */

import type { Comfy } from "../../comfy/bridge";
import { fullNameOf, namesOfInputs } from "../../comfy/inputsInForce";
import type { GraphInput, GraphNode, GraphOutput, Json } from "../../graph/graph";
import { acceptsType } from "../../graph/slotTypes";
import type { UnwiredLink } from "../../graph/unwired";
import { isObject } from "../../shared/json";
import { inputReferred, outputReferred, type SlotReferred, widgetReferred } from "../read/references";
import { attempt, ToolError } from "../toolError";
import { spelled } from "../values/spelling";
import { readEdits } from "./batchArguments";
import type { Draft } from "./draft";
import type { Located } from "./draftGraphs";
import { blankNodeMeant } from "./installedType";
import type { Edit, WrittenEdit } from "./operation";
import { set, type Values } from "./operations/set";
import { planBatch } from "./planBatch";
import { type SetCall, valueMeant, widgetsLike, widgetsTogether, withSendInstead } from "./sendInstead";
import { likely, pairsOf } from "./slotPair";
import { outputMeant } from "./threadingPlace";

/** What was refused for a node of the batch that was not made is looked at once that node is. */
const rounds = 3;
/** Of characters: a longer batch costs more to repeat than to mend by its errors. */
const longest = 4_000;

/** Undefined where the errors do not tell what was meant. What comes back was planned, and nothing of it is refused. */
export function mendedBatch(
  comfy: Comfy,
  edits: readonly Edit[],
  feeds: readonly UnwiredLink[],
): WrittenEdit[] | undefined {
  let entries = edits.flatMap(({ written }) => written ?? []);
  if (entries.length < edits.length) return undefined;
  for (let round = 0; round <= rounds; round++) {
    const { draft, refusals } = planBatch(comfy, readEdits(entries), feeds);
    if (refusals.length === 0) return JSON.stringify(entries).length > longest ? undefined : entries;
    const refused = new Set(refusals.map(({ index }) => index));
    const before = JSON.stringify(entries);
    entries = entries.flatMap((entry, index) => (refused.has(index) ? mended(entry, draft) : [entry]));
    if (JSON.stringify(entries) === before) return undefined;
  }
  return undefined;
}

function mended(entry: WrittenEdit, draft: Draft): WrittenEdit[] {
  const { op, nodes, type, widgets, inputs, from, to } = entry;
  if (op === "set") return setsMeant(entry, draft);
  if (op === "promote") return [promotionMeant(entry, draft)];
  const blank = typeof type === "string" ? attempt(() => blankNodeMeant(draft.comfy, type)) : undefined;
  const isBehind = op === "insert" && typeof to === "string" && outputMeant(draft, to) !== undefined;
  const link = op === "connect" ? linkMeant(String(from), String(to), draft) : undefined;
  return [
    {
      ...entry,
      ...(isList(nodes) && { nodes: nodes.map((node) => nodeMeant(String(node), draft)) }),
      ...(blank && isValues(widgets) && { widgets: valuesMeant(blank, widgets) }),
      ...(blank && isValues(inputs) && { inputs: sourcesMeant(blank, inputs, draft) }),
      ...link,
      ...(op !== "connect" &&
        typeof to === "string" &&
        !isBehind && { to: linkedInputMeant(to, blank, draft) }),
    },
  ];
}

/** One for the nodes that get the same values. */
function setsMeant(entry: WrittenEdit, draft: Draft): WrittenEdit[] {
  const { nodes, widgets } = entry;
  if (!isList(nodes) || !isValues(widgets)) return [entry];
  const values = new Map<string, Values>();
  for (const node of nodes)
    for (const [widget, value] of Object.entries(partsMeant(String(node), widgets, draft))) {
      const meant = settingMeant({ node: String(node), widget, value }, draft);
      const there = values.get(meant.node) ?? {};
      const isOther = JSON.stringify(there[meant.widget] ?? meant.value) !== JSON.stringify(meant.value);
      if (isOther) return [entry];
      values.set(meant.node, { ...there, [meant.widget]: meant.value });
    }
  const alike = Map.groupBy(values, ([, each]) => JSON.stringify(each));
  return [...alike.values()].map((same) => ({
    ...entry,
    nodes: same.map(([node]) => node),
    widgets: same[0]?.[1] ?? {},
  }));
}

/** An input or widget is named by `to`, an output by `from`. */
function promotionMeant({ from, to, ...entry }: WrittenEdit, draft: Draft): WrittenEdit {
  const reference = String(to ?? from);
  const [owner, slot] = attempt(() => draft.owner(reference)) ?? [];
  const has = (find: typeof inputReferred | typeof outputReferred) =>
    owner !== undefined && slot !== undefined && attempt(() => find(owner.node, slot)) !== undefined;
  const isInput = has(inputReferred);
  if (isInput === has(outputReferred)) return { ...entry, ...(to === undefined ? { from } : { to }) };
  return { ...entry, ...(isInput ? { to: reference } : { from: reference }) };
}

function partsMeant(node: string, values: Values, draft: Draft): Values {
  const located = attempt(() => draft.node(node));
  if (!located) return values;
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, Json][] => {
      const together = widgetsTogether(located.node, name);
      return together.length > 0 ? together.map((each) => [each.name, value]) : [[name, value]];
    }),
  );
}

function settingMeant(asked: SetCall, draft: Draft): SetCall {
  try {
    Array.from(set.with({ nodes: [asked.node], widgets: { [asked.widget]: asked.value } }).plan(draft));
    return asked;
  } catch (error) {
    const told = withSendInstead(error, asked, draft);
    return (told instanceof ToolError && (told.sendInstead as SetCall | undefined)) || asked;
  }
}

/** Those of a node that is to be made. */
function valuesMeant(blank: GraphNode, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, Json][] => {
      const together = widgetsTogether(blank, name);
      if (together.length > 0)
        return together.map((each) => [each.name, valueMeant(blank, each, value) ?? value]);
      const [like] = widgetsLike(blank, name);
      const widget =
        attempt(() => widgetReferred(blank, name)) ??
        (like === undefined ? undefined : attempt(() => widgetReferred(blank, like)));
      return [widget ? [widget.name, valueMeant(blank, widget, value) ?? value] : [name, value]];
    }),
  );
}

function nodeMeant(reference: string, draft: Draft): string {
  try {
    draft.node(reference);
    return reference;
  } catch (error) {
    return (error instanceof ToolError && error.fitting.node) || reference;
  }
}

/** As they were where two of them would go into one input. Into a growing row they go in the order in which they are. */
function sourcesMeant(blank: GraphNode, inputs: Values, draft: Draft): Values {
  const meant = new Map<string, Json>();
  for (const [name, written] of Object.entries(inputs)) {
    const [input, source, isOfRow] = sourceMeant(blank, name, written, draft);
    const before = meant.get(input);
    if (before !== undefined && !isOfRow) return inputs;
    meant.set(input, isOfRow ? [...((before as Json[]) ?? []), source] : source);
  }
  return Object.fromEntries(meant);
}

function sourceMeant(
  blank: GraphNode,
  name: string,
  written: Json,
  draft: Draft,
): readonly [input: string, source: Json, isOfRow?: boolean] {
  const asItIs = [name, written] as const;
  if (Array.isArray(written) || isToCome(draft, blank, name)) return asItIs;
  const [source, slot] = attempt(() => draft.owner(String(written))) ?? [];
  const pair = source && pairMeant(source.node, blank, slot, name);
  if (!pair) return asItIs;
  const { slot: input } = pair.input;
  const meant = slotWritten(draft, source, pair.output);
  const isNamed = attempt(() => inputReferred(blank, name)) !== undefined;
  if (isNamed || input.row === undefined) return [input.name, meant];
  // Names such as `a` and `b` of a formula mean something; numbers only tell one input of a row from the next.
  return /\d$/.test(input.name) ? [input.row, meant, true] : asItIs;
}

function linkMeant(from: string, to: string, draft: Draft): { from: string; to: string } | undefined {
  const [source, fromSlot] = attempt(() => draft.owner(from)) ?? [];
  const [target, toSlot] = attempt(() => draft.owner(to)) ?? [];
  if (!source || !target || isToCome(draft, target.node, toSlot)) return undefined;
  const pair = pairMeant(source.node, target.node, fromSlot, toSlot);
  return (
    pair && { from: slotWritten(draft, source, pair.output), to: slotWritten(draft, target, pair.input) }
  );
}

/** Whether the type has such an input, which this node does not have yet: no other is meant. */
export function isToCome({ comfy }: Draft, { type, inputs }: GraphNode, name = ""): boolean {
  const definition = comfy.nodeDefinition(type);
  if (!definition || name === "") return false;
  const full = fullNameOf(definition, name);
  // The name of a whole row or choice, else that of one input.
  const isMeant = (each: string) =>
    full === undefined ? each.startsWith(`${name}.`) || each.includes(`.${name}.`) : each === full;
  return namesOfInputs(definition).some(isMeant) && !inputs.some((input) => isMeant(input.name));
}

/**
 * The only pair that is likely by what was written; where both slots are there and do not fit, another output. None where
 * an input was written that the node does not have, and what it could be has its link: nothing is cut for a guess.
 */
function pairMeant(source: GraphNode, target: GraphNode, from: string | undefined, to: string | undefined) {
  if (from !== undefined && isNoOneSlot(from)) return undefined;
  const outputs = new Set(slotsLike(source.outputs, from, () => outputReferred(source, from ?? "")));
  const inputs = new Set(slotsLike(target.inputs, to, () => inputReferred(target, to ?? "")));
  const all = pairsOf(indexed(source.outputs), indexed(target.inputs));
  const hasOutput = ({ output }: { output: SlotReferred<GraphOutput> }) => outputs.has(output.slot);
  const hasInput = ({ input }: { input: SlotReferred<GraphInput> }) => inputs.has(input.slot);
  const both = all.filter((pair) => hasOutput(pair) && hasInput(pair));
  const isThere = attempt(() => inputReferred(target, to ?? "")) !== undefined;
  const pairs =
    both.length > 0 ? both : all.filter((pair) => hasInput(pair) || (hasOutput(pair) && !isThere));
  const [only, ...others] = likely(pairs);
  if (only?.input.slot.linkedFrom && to !== undefined && !isThere) return undefined;
  return others.length === 0 ? only : undefined;
}

/** Such as the "6" of ["5", "6"], or a list in one text. */
function isNoOneSlot(written: string): boolean {
  return /^\d+$/.test(written) || written.includes(",");
}

function isLike(slots: readonly { name: string }[], written: string): boolean {
  const query = spelled(written);
  return query !== "" && slots.some(({ name }) => isWithin(query, spelled(name)));
}

/** The slot of that name, else those whose name is like it, else all. */
function slotsLike<Slot extends { name: string }>(
  slots: readonly Slot[],
  written: string | undefined,
  exact: () => SlotReferred<Slot>,
): readonly Slot[] {
  const found = written === undefined ? undefined : attempt(exact);
  if (found) return [found.slot];
  const query = spelled(written ?? "");
  const alike = slots.filter(({ name }) => query !== "" && isWithin(query, spelled(name)));
  return alike.length > 0 ? alike : slots;
}

/** For insert and disconnect: the only input with a link that is like what was written, or that the new node fits. */
function linkedInputMeant(to: string, between: GraphNode | undefined, draft: Draft): string {
  const [target, slot] = attempt(() => draft.owner(to)) ?? [];
  if (!target) return to;
  const { inputs } = target.node;
  const like = new Set(slotsLike(inputs, slot, () => inputReferred(target.node, slot ?? "")));
  const linked = indexed(inputs).filter(({ slot: { linkedFrom } }) => linkedFrom);
  const fitting = between ? linked.filter((each) => passes(between, each.slot.type)) : linked;
  const isGuess = slot !== undefined && !isLike(inputs, slot);
  if (isToCome(draft, target.node, slot)) return to;
  if (isGuess && !between && inputs.filter(({ isWidget }) => !isWidget).length > 1) return to;
  const named = fitting.filter((each) => like.has(each.slot));
  const [only, ...others] = named.length > 0 || !(isGuess || slot === undefined) ? named : fitting;
  return only && others.length === 0 ? slotWritten(draft, target, only) : to;
}

function passes({ inputs, outputs }: GraphNode, type: string): boolean {
  return (
    inputs.some((input) => !input.isWidget && acceptsType(input.type, type)) &&
    outputs.some((output) => acceptsType(type, output.type))
  );
}

function slotWritten(
  draft: Draft,
  located: Located,
  { slot, index }: SlotReferred<GraphInput | GraphOutput>,
): string {
  const { inputs, outputs } = located.node;
  const side: readonly { name: string }[] = "linkedTo" in slot ? outputs : inputs;
  const isOne = side.filter(({ name }) => name === slot.name).length === 1;
  return `${draft.pathOf(located)}.${isOne ? slot.name : `${slot.name}#${index}`}`;
}

function indexed<Slot>(slots: readonly Slot[]): SlotReferred<Slot>[] {
  return slots.map((slot, index) => ({ slot, index }));
}

function isWithin(one: string, other: string): boolean {
  return one.includes(other) || other.includes(one);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isValues(value: unknown): value is Values {
  return isObject(value);
}
