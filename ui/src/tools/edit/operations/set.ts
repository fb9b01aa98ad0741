import type { Comfy } from "../../../comfy/bridge";
import { takeSlotsOf } from "../../../comfy/dynamicSlots";
import { inputNamed } from "../../../comfy/inputsInForce";
import { valueText } from "../../../graph/compact/write";
import { findNode, type GraphNode, type GraphWidget, type Json } from "../../../graph/graph";
import { sentences } from "../../../shared/sentences";
import { nodeName, widgetNamed, widgetReferred } from "../../read/references";
import { ToolError } from "../../tool";
import { attempt } from "../../toolError";
import { namesSlot, slotWritten } from "../../values/arguments";
import { objectMeant, partNamed } from "../../values/objectParts";
import { objectTaken } from "../../values/objectsTaken";
import { samplerPair, spelled } from "../../values/spelling";
import { type WidgetPlace, widgetValue } from "../../values/widgetValue";
import type { Draft } from "../draft";
import type { Located } from "../draftGraphs";
import { asOne, faultIn, faultOf, planEach } from "../faults";
import { expectNoGap } from "../gaps";
import { expectHeard } from "../heard";
import type { HeldValue } from "../heldBefore";
import type { LiveGraph } from "../liveGraph";
import { defineOperation } from "../operation";
import { type Adjustment, alreadySo, identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";
import { withWayTo } from "../wayToInput";

export type Values = Readonly<Record<string, Json>>;

interface SetRequest {
  nodes: readonly string[];
  widgets: Values;
}

export const set = defineOperation({
  name: "set",
  alsoCalled: { setNodeWidgetValue: {}, setWidget: {}, setValue: {}, update: {} },
  fields: { nodes: vocabulary.nodes, widgets: vocabulary.widgets },
  read: (given): SetRequest => given,
  *plan(draft, { nodes, widgets }) {
    yield* planEach(draft.nodes(nodes).map((located) => () => setWidgets(draft, located, widgets)));
  },
});

/** Throws a ToolError where a link feeds one of the widgets. */
export function* setWidgets(draft: Draft, located: Located, values: Values): Generator<Step, void> {
  const isThere = ([name]: [string, Json]) => widgetNamed(located.node, name) !== undefined;
  const isChooser = ([name]: [string, Json]) => choosesInputs(draft, located, name);
  const setEach = (entries: readonly [string, Json][]) =>
    planEach(
      entries.map(
        ([name, written]) =>
          () =>
            setNamed(draft, located, name, { written, values }),
      ),
    );
  const faults: ToolError[] = [];
  const steps: Step[] = [];
  const plan = (entries: readonly [string, Json][], more: readonly [string, Json][]) => {
    try {
      steps.push(...setEach(entries));
      if (more.length > 0 || entries.some(isChooser)) bringForth(draft, located, asObjects(more));
    } catch (error) {
      faults.push(faultOf(error));
    }
  };
  const fullName = (name: string) => widgetNamed(located.node, name)?.name ?? name;
  for (const [name] of Object.entries(values).filter(isChooser))
    expectNoGap(draft, located, "Make the choice first, or in a call of its own.", `${fullName(name)}.`);
  /** Of the choices that are there, those that belong to no other one which is still to be made. */
  const outermost = (entries: readonly [string, Json][]) => {
    const choosers = entries.filter(isChooser);
    const isWithin = ([name]: [string, Json]) =>
      choosers.some(([other]) => fullName(name).startsWith(`${fullName(other)}.`));
    return choosers.filter((each) => !isWithin(each));
  };
  let left = Object.entries(values);
  for (let choosers = outermost(left); choosers.length > 0; choosers = outermost(left)) {
    plan(choosers, []);
    left = left.filter((each) => !choosers.includes(each));
  }
  const others = left.filter((each) => !isThere(each));
  plan(left.filter(isThere), others);
  if (others.length > 0) plan(others, []);
  if (faults.length > 0) throw asOne(faults);
  yield* steps;
}

/** Whether other inputs belong to each value of this widget. */
function choosesInputs({ comfy }: Draft, { node }: Located, name: string): boolean {
  const widget = widgetNamed(node, name)?.name;
  const definition = isGrowing(node) ? comfy.nodeDefinition(node.type) : undefined;
  return (
    definition !== undefined && widget !== undefined && inputNamed(definition, widget)?.options !== undefined
  );
}

/** Values that are meant as a part of an object as the object, these first: behind a name that is not there none is set. */
function asObjects(values: readonly [string, Json][]): [string, Json][] {
  const isObject = ([, value]: [string, Json]) => Number(typeof value === "object");
  return values
    .map(([name, value]): [string, Json] => [name, objectMeant(name, value)])
    .sort((one, other) => isObject(other) - isObject(one));
}

/** Gives the draft's node the widgets and inputs that it has once these values are set, too. */
function bringForth({ comfy }: Draft, { at, node }: Located, values: readonly [string, Json][]): void {
  const grown = grownBy(comfy, node, values);
  if (grown) takeSlotsOf(at.graph, node, grown, comfy.nodeDefinition(node.type));
}

/** The type's new node with what these values bring forth. */
function grownBy(comfy: Comfy, node: GraphNode, values: readonly [string, Json][]): GraphNode | undefined {
  return isGrowing(node) ? comfy.blankNode(node.type, [...valuesOf(node), ...values]) : undefined;
}

function isGrowing({ isInstalled, subgraph }: GraphNode): boolean {
  return isInstalled && !subgraph;
}

function valuesOf({ widgets }: GraphNode): [string, Json][] {
  return widgets.map(({ name, value }) => [name, value]);
}

function setNamed(
  draft: Draft,
  located: Located,
  name: string,
  { written, values }: { written: Json; values: Values },
): Step[] {
  const part = widgetNamed(located.node, name) ? undefined : partNamed(located.node.widgets, name);
  if (part) return setNamed(draft, located, part.widget.name, { written: { [part.part]: written }, values });
  const widget = widgetMeant(draft, located, name);
  const pair = samplerPair(located.node.widgets, widget, written);
  const both = "scheduler" in values ? undefined : pair;
  const isToldTwice = pair && !both && spelled(String(values.scheduler)) === spelled(pair.scheduler);
  const settings: [string, Json][] = both
    ? Object.entries({ [widget.name]: both.sampler, scheduler: both.scheduler })
    : [[widget.name, valueHeard(draft, located, widget, isToldTwice ? pair.sampler : written)]];
  return settings.map(([each, value]) => {
    if (both) expectHeard(draft, located, each);
    const words = valueText({ name: each, value }, 40);
    return {
      ...(!draft.isMade(located.node) &&
        alreadySo(
          () => isEqual(widgetHolds(located.node, each), value),
          () => `${draft.pathOf(located)}.${each} is ${words} already`,
        )),
      ...setWidget(located, each, value),
    };
  });
}

/** Where the node is a subgraph's, the error names the nodes inside that have such a widget. */
function widgetMeant(draft: Draft, { at, node }: Located, name: string): GraphWidget {
  try {
    return widgetReferred(node, name);
  } catch (error) {
    const inside = node.subgraph && attempt(() => draft.graphAt([...at.place, node.id]));
    const holders = inside ? inside.graph.nodes.filter((each) => widgetNamed(each, name)) : [];
    if (!inside || holders.length === 0) {
      const chooser = node.subgraph && node.widgets.find((each) => name.startsWith(`${each.name}.`));
      if (chooser)
        throw faultOf(error).with({
          hint: sentences(
            `What ${chooser.name} brings along inside is there in the next call.`,
            faultOf(error).hint,
          ),
        });
      throw withWayTo(
        name,
        node,
        draft.comfy.nodeDefinition(node.type),
        withObjectTaken(draft.comfy, node, faultOf(error)),
      );
    }
    const paths = holders.map((each) => draft.pathOf({ at: inside, node: each }));
    throw new ToolError(faultOf(error).message, `Inside of it ${name} is on ${paths.join(", ")}.`);
  }
}

/** Where the node takes any number of objects, the error says how one is written. */
function withObjectTaken(comfy: Comfy, node: GraphNode, error: ToolError): ToolError {
  const taken = isGrowing(node) && objectTaken(comfy, node.type, valuesOf(node));
  if (!taken) return error;
  const form = `A new one is ${taken.name}, with a value such as ${JSON.stringify(taken.value)}.`;
  return error.with({ hint: sentences(error.hint, form) });
}

function placeOf({ comfy }: Draft, { node }: Located): WidgetPlace {
  return { type: node.type, definitionOf: (type) => comfy.nodeDefinition(type) };
}

/** Throws a ToolError where a link feeds the widget, where it does not take the value, and of both at once. */
function valueHeard(draft: Draft, located: Located, widget: GraphWidget, written: Json): Json {
  const isText = typeof widget.value === "string";
  const output = Array.isArray(written) || (!isText && namesSlot(written)) ? slotWritten(written) : undefined;
  if (output !== undefined && attempt(() => draft.output(String(output))))
    throw new ToolError(
      `A link is no value of ${widget.name}.`,
      `connect makes it, from ${output} to ${draft.pathOf(located)}.${widget.name}.`,
    );
  const fed = faultIn(() => expectHeard(draft, located, widget.name));
  try {
    const value = widgetValue(widget, written, placeOf(draft, located));
    if (!fed) return value;
  } catch (error) {
    if (!fed) throw error;
    const unfit = faultOf(error);
    const hint = sentences(fed.hint, unfit.hint);
    throw new ToolError(`${fed.message} ${unfit.message}`, hint || undefined, unfit.choicesOf, {
      fitting: { ...(unfit.fitting.value !== undefined && { value: unfit.fitting.value }), ...fed.fitting },
    });
  }
  throw fed;
}

/** `value` as the widget takes it. */
export function setWidget({ at, node }: Located, name: string, value: Json): Step {
  const widget = node.widgets.find((each) => each.name === name);
  if (widget) widget.value = value;
  return {
    at,
    touches: [identityOf(at, node.id)],
    apply(editor, live) {
      try {
        editor.setWidget(live.ids.of(node.id), name, value);
      } catch (error) {
        const now = live.node(node.id);
        if (now) widgetReferred(now, name);
        throw error;
      }
    },
    sets: { node: node.id, widget: name },
    ...(widget?.hasOpenChoices && { isLast: true }),
    check: (live) => adjustments({ at, node }, name, live),
  };
}

function adjustments({ at, node }: Located, widget: string, graph: LiveGraph): Adjustment[] {
  const planned = findNode(at.graph, node.id);
  const live = graph.node(node.id);
  if (!planned || !live) return [];
  const [asked, kept] = [widgetHolds(planned, widget), widgetHolds(live, widget)];
  const now = live.widgets.find(({ name }) => name === widget);
  if (now?.hasOpenChoices && now.choices?.length) widgetValue({ ...now, hasOpenChoices: false }, asked);
  if (isEqual(asked, kept)) return [];
  const before = at.before.valuesOf(node.id);
  if (before && isEqual(widgetHolds({ widgets: before }, widget), kept))
    throw new ToolError(`ComfyUI kept ${widget} of ${nodeName(live)} at ${JSON.stringify(kept)}.`);
  return [{ node: live.id, widget, asked, kept }];
}

function widgetHolds({ widgets }: { widgets: readonly HeldValue[] }, name: string): Json {
  return widgets.find((widget) => widget.name === name)?.value ?? null;
}

function isEqual(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
