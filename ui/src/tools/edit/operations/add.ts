import type { NewNode } from "../../../comfy/bridge";
import type { GraphInput, GraphNode, Json, Point } from "../../../graph/graph";
import { noteSize } from "../../../graph/noteSize";
import { isObject } from "../../../shared/json";
import { sentences } from "../../../shared/sentences";
import { nodeName } from "../../read/references";
import { ToolError } from "../../tool";
import { attempt } from "../../toolError";
import { namesSlot, slotWritten } from "../../values/arguments";
import type { Draft } from "../draft";
import type { DraftGraph, Located } from "../draftGraphs";
import { isName } from "../draftNames";
import { planEach } from "../faults";
import { expectHeard } from "../heard";
import { blankNodeMeant } from "../installedType";
import { defineOperation } from "../operation";
import { byInputs } from "../slotPair";
import { identityOf, type Step } from "../step";
import { vocabulary } from "../vocabulary";
import { connectSlots } from "./connect";
import { setWidgets, type Values } from "./set";

interface AddRequest {
  type: string;
  as?: string;
  title?: string;
  widgets?: Values;
  /** Sources by input name. */
  inputs?: Values;
  position?: Point;
  /** A node or a group, by which it stands where nobody says a position. */
  beside?: string;
  /** The subgraph node in which to add it. */
  inside?: string;
}

export const add = defineOperation({
  name: "add",
  alsoCalled: { addNode: {}, create: {} },
  fields: {
    type: vocabulary.type,
    as: vocabulary.as.optional(),
    title: vocabulary.title.optional(),
    widgets: vocabulary.widgets.optional(),
    inputs: vocabulary.inputs.optional(),
    position: vocabulary.position.optional(),
    beside: vocabulary.beside.optional(),
    inside: vocabulary.inside.optional(),
  },
  read: (given): AddRequest => given,
  *plan(draft, { type, as, title, widgets = {}, inputs = {}, position, beside, inside }) {
    const host = beside === undefined ? undefined : draft.nodeOrGroup(beside);
    const at = inside === undefined ? (host?.at ?? draft.graphAt()) : draft.insideOf(inside);
    const blank = blankNodeMeant(draft.comfy, type);
    const size = noteSize({ ...blank, ...(title !== undefined && { title }) }, Object.values(widgets));
    const node = yield* createNode(draft, at, blank, as, {
      ...(title !== undefined && { title }),
      ...(position && { position }),
      ...(size && { size }),
    });
    if (host && !position) draft.standBeside(node, host);
    yield* fill(draft, node, widgets, inputs);
  },
});

/** Values first, since some nodes get their inputs by them. */
export function* fill(draft: Draft, node: Located, widgets: Values, inputs: Values): Generator<Step, void> {
  yield* planEach([() => setWidgets(draft, node, widgets), () => linkAll(draft, node, widgets, inputs)]);
}

function* linkAll(draft: Draft, node: Located, widgets: Values, inputs: Values): Generator<Step, void> {
  yield* planEach(
    Object.entries(inputs).map(
      ([input, written]) =>
        () =>
          linkWritten(draft, node, widgets, input, written),
    ),
  );
}

/** A growing row may be given a list, or an object of its inputs. */
function* linkWritten(
  draft: Draft,
  node: Located,
  widgets: Values,
  input: string,
  written: Json,
): Generator<Step, void> {
  const isRow = attempt(() => draft.inputOf(node, input).slot.row) !== undefined;
  const source = isRow && isListOfNodes(draft, written) ? written : slotWritten(written);
  if (isObject(source)) {
    const parts = Object.entries(source).map(([name, each]): [string, Json] => [
      `${input}.${name}`,
      each as Json,
    ]);
    return yield* linkAll(draft, node, widgets, Object.fromEntries(parts));
  }
  const sources = Array.isArray(source) ? source.map(slotWritten) : [source];
  yield* planEach(
    sources.map((each) => () => {
      const slot = draft.inputOf(node, input);
      if (sources.length > 1 && slot.slot.row === undefined)
        throw new ToolError(`${slot.slot.name} of ${nodeName(node.node)} takes one link, not a list.`);
      expectLink(draft, slot.slot, written, node);
      const fed = Object.keys(widgets).some((name) => name.toLowerCase() === slot.slot.name.toLowerCase());
      const from = draft.output(String(each));
      const step = connectSlots(from, { ...node, slot }, byInputs(draft.pathOf(from)));
      if (fed) expectHeard(draft, node, slot.slot.name);
      return [step];
    }),
  );
}

/** A value is none, though a node may have it for its id: in ids, numbers are texts. */
function expectLink(draft: Draft, input: GraphInput, written: Json, { node }: Located): void {
  if (typeof written === "object") return;
  const isNode = attempt(() => draft.output(String(written))) !== undefined;
  if (typeof written === "string" && (isNode || namesSlot(written) || !input.isWidget)) return;
  if (!input.isWidget) {
    if (isNode) return;
    throw new ToolError(
      `${JSON.stringify(written)} is no output that ${input.name} of ${nodeName(node)} could be linked to.`,
      `It has no value of its own: connect another node's output of type ${input.type}.`,
    );
  }
  const value = JSON.stringify({ [input.name]: written });
  throw new ToolError(
    `${JSON.stringify(written)} is no output that ${input.name} of ${nodeName(node)} could be linked to.`,
    sentences(
      `If it is the value, give it by widgets: ${value}.`,
      isNode ? `To link node ${written}, write it as a text.` : undefined,
    ),
  );
}

/** Such as `["5", "1"]`, which might be an output of a node as well: the API writes that as `["5", 1]`. */
function isListOfNodes(draft: Draft, written: Json): boolean {
  return (
    Array.isArray(written) &&
    written.every((each) => typeof each === typeof written[0] && attempt(() => draft.node(String(each))))
  );
}

/** A new node, under `id` where it takes the place of another. */
export function* createNode(
  draft: Draft,
  at: DraftGraph,
  blank: GraphNode,
  name: string | undefined,
  options: NewNode = {},
): Generator<Step, Located> {
  checkName(draft, name);
  const { id, title, position, size } = options;
  const located = draft.add(at, blank, {
    ...(name !== undefined && { name }),
    ...(id !== undefined && { id }),
  });
  const { node } = located;
  if (title !== undefined) node.title = title;
  if (size) node.size = size;
  if (position) {
    node.position = position;
    draft.asked.push({ at, nodes: [node] });
  } else draft.unplaced.set(node, undefined);
  yield {
    at,
    touches: [identityOf(at, node.id)],
    apply(editor, { ids }) {
      ids.set(node.id, editor.addNode(blank.type, { ...options, position: node.position }));
    },
  };
  return located;
}

export function checkName(draft: Draft, name: string | undefined): void {
  if (name === undefined) return;
  if (!isName(name))
    throw new ToolError(
      `"${name}" cannot be a name in a batch.`,
      "Begin with a letter, then letters, digits, _ or -.",
    );
  if (draft.isNamed(name)) throw new ToolError(`Two operations of this batch name something "${name}".`);
}
