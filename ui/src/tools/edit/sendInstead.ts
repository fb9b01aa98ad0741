/** Of a call that sets one value and does not fit: the one that would, ready to be sent. */

import { fullNameOf } from "../../comfy/inputsInForce";
import type { GraphNode, GraphWidget, Json } from "../../graph/graph";
import { sentences } from "../../shared/sentences";
import { nodesReferred, pathWord, typeWord, widgetNamed, widgetReferred } from "../read/references";
import { attempt, type Fitting, ToolError } from "../toolError";
import { samplerPair, spelled } from "../values/spelling";
import { widgetValue } from "../values/widgetValue";
import type { Draft } from "./draft";
import { set } from "./operations/set";
import { UnseenChange } from "./staleness";

export interface SetCall {
  node: string;
  widget: string;
  value: Json;
}

const mostNamed = 6;
/** From one refused call to the next that its refusal speaks of. */
const longestWay = 3;

/** The error with such a call where one follows from what is there, and with the nodes that have such a widget. */
export function withSendInstead(error: unknown, asked: SetCall, draft: Draft): unknown {
  if (!(error instanceof ToolError) || error instanceof UnseenChange) return error;
  const found = Object.keys(error.fitting).length > 0 ? undefined : elsewhere(asked, draft);
  const meant = found?.fitting ?? error.fitting;
  const sendInstead = fittingCall({ ...asked, ...meant }, draft);
  const hint = sentences(found?.words, error.hint);
  return new ToolError(error.message, hint || undefined, error.choicesOf, {
    sendInstead,
    isUnknownNode: error.isUnknownNode,
  });
}

/** Undefined where the call names a node that has the widget or would by another choice, or nothing is like it. */
function elsewhere(
  { node, widget }: SetCall,
  draft: Draft,
): { fitting?: Fitting; words?: string } | undefined {
  const named = nodesReferred(draft.graphAt().graph, node);
  const has = (each: GraphNode) => widgetNamed(each, widget) !== undefined;
  const [one, ...others] = named;
  const definition = one && draft.comfy.nodeDefinition(one.type);
  const canHave = definition && fullNameOf(definition, widget) !== undefined;
  if (one && others.length === 0 && (has(one) || canHave)) return undefined;
  const all = named.some(has) ? named.filter(has) : draft.having(widget);
  const free = all.filter((each) => !isFed(each, widget));
  const holders = free.length > 0 ? free : all;
  const words = holders.map((each) => `${pathWord(each)} ${typeWord(each)}`);
  const [only] = holders;
  if (only && holders.length === 1)
    return { fitting: { node: pathWord(only) }, words: `Only ${words[0]} has ${widget}.` };
  if (holders.length > 0)
    return {
      words:
        holders.length <= mostNamed
          ? `${widget} is on ${words.join(", ")}.`
          : `${holders.length} other nodes have ${widget}.`,
    };
  const alike = one && others.length === 0 ? widgetsLike(one, widget) : [];
  const [like] = alike;
  return like !== undefined && alike.length === 1 ? { fitting: { widget: like } } : undefined;
}

/**
 * Numbers that one word names together, as strength does strength_model and strength_clip; empty where a widget has that
 * name.
 */
export function widgetsTogether(node: GraphNode, wanted: string): GraphWidget[] {
  if (widgetNamed(node, wanted)) return [];
  const beginning = `${wanted.trim().toLowerCase()}_`;
  const parts = node.widgets.filter(({ name }) => name.toLowerCase().startsWith(beginning));
  return parts.length > 1 && parts.every(({ value }) => typeof value === "number") ? parts : [];
}

function isFed({ inputs }: GraphNode, widget: string): boolean {
  return inputs.some(({ name, linkedFrom }) => name === widget && linkedFrom !== undefined);
}

/** One name within the other, such as sampler and sampler_name; where some begin alike, as scale and scale_by, those. */
export function widgetsLike({ widgets }: GraphNode, wanted: string): string[] {
  const query = spelled(wanted);
  const within = (fits: (one: string, other: string) => boolean) =>
    widgets
      .map(({ name }) => name)
      .filter((name) => query !== "" && (fits(spelled(name), query) || fits(query, spelled(name))));
  const begin = within((one, other) => one.startsWith(other));
  return begin.length > 0 ? begin : within((one, other) => one.includes(other));
}

/**
 * With its names as they are spelled, and its value as the widget takes it or the nearest that it takes. Undefined where
 * no such call could be carried out: it is planned, and what a refusal says is meant is followed.
 */
function fittingCall(asked: SetCall, draft: Draft, left = longestWay): SetCall | undefined {
  const call = attempt(() => {
    const located = draft.node(asked.node);
    const widget = widgetReferred(located.node, asked.widget);
    const value = valueMeant(located.node, widget, asked.value);
    return value === undefined ? undefined : { node: draft.pathOf(located), widget: widget.name, value };
  });
  if (!call) return undefined;
  try {
    Array.from(set.with({ nodes: [call.node], widgets: { [call.widget]: call.value } }).plan(draft));
    return call;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const isTold = left > 0 && Object.keys(error.fitting).length > 0;
    return isTold ? fittingCall({ ...call, ...error.fitting }, draft, left - 1) : undefined;
  }
}

/** A sampler with its scheduler stays as it was written: setting it sets both. */
export function valueMeant(node: GraphNode, widget: GraphWidget, written: Json): Json | undefined {
  return samplerPair(node.widgets, widget, written) ? written : nearestValue(widget, written);
}

function nearestValue(widget: GraphWidget, written: Json): Json | undefined {
  try {
    return widgetValue(widget, written);
  } catch (error) {
    if (error instanceof ToolError) return error.fitting.value;
    throw error;
  }
}
