import { findNode, type GraphNode, type LinkSource, type LinkTarget } from "../../../graph/graph";
import { keptSize } from "../../../graph/keptSize";
import { isSameOutput, targetSlot } from "../../../graph/links";
import { outline } from "../../../graph/placement";
import { ToolError } from "../../tool";
import { oneNode } from "../oneNode";
import { defineOperation } from "../operation";
import { type Join, joined, joinsPast } from "../rejoined";
import { replacementOf } from "../replacement";
import { replacingNode, underNewNames } from "../typeReplacement";
import { vocabulary } from "../vocabulary";
import { createNode, fill } from "./add";
import { paint } from "./color";
import { link } from "./connect";
import { switchMode } from "./mode";
import { takeAway } from "./remove";
import { setWidget, setWidgets } from "./set";

export const replace = defineOperation({
  name: "replace",
  fields: {
    nodes: vocabulary.nodes,
    type: vocabulary.type,
    as: vocabulary.as.optional(),
    title: vocabulary.title.optional(),
    widgets: vocabulary.widgets.optional(),
    inputs: vocabulary.inputs.optional(),
    rejoin: vocabulary.rejoin.optional(),
  },
  read: ({ nodes, ...given }) => ({ ...given, node: oneNode(nodes) }),
  *plan(draft, { node: reference, type, as, title: wanted, widgets = {}, inputs = {}, rejoin = true }) {
    const old = draft.node(reference);
    const { at } = old;
    const isWhole = (row: string | undefined) => row !== undefined && Array.isArray(inputs[row]);
    if (draft.isNew(old.node.id))
      throw new ToolError(`"${reference}" is new in this batch.`, "Add the other type instead.");
    const before = structuredClone(old.node);
    const { blank, known, choices } = replacingNode(draft.comfy, before, type, widgets);
    const renamed = known ? underNewNames(before, known, blank) : before;
    const typeOf = (to: LinkTarget) => targetSlot(at.graph, to)?.type ?? "*";
    const fitting = replacementOf(renamed, blank, typeOf, { ...inputs, ...widgets });
    const { id, title, defaultTitle, mode, color } = before;
    const isLost = ({ to }: Join) =>
      fitting.lostTargets.some((each) => each.to.node === to.node && each.to.input === to.input);
    const joins = rejoin ? joinsPast(old).filter(isLost) : [];
    const goesOn = (from: LinkSource) => joins.some((join) => isSameOutput(join.from, from));
    const loses = [
      ...fitting.lostTargets.map(({ output, to }) => ({
        words: `${id}.${output}>${to.node}.${to.name}`,
        graph: at.graph,
        to,
      })),
      ...fitting.lostSources.flatMap(({ input, from }) =>
        goesOn(from) ? [] : `${id}.${input}<${from.node}.${from.name}`,
      ),
      ...lostValues(before, fitting.lost),
    ];
    const rows = fitting.outputs.flatMap(({ to }) =>
      findNode(at.graph, to.node)?.inputs[to.input]?.row === undefined ? [] : [to],
    );
    yield {
      at,
      touches: [],
      apply: (editor, live) => {
        for (const to of rows) editor.makeRoom(live.input(to));
      },
    };
    yield* joined(at, joins);
    const taking = {
      ...takeAway(draft, old, "was replaced"),
      loses,
      renames: [] as string[],
      costs: { act: "replace" as const, nodes: [before], by: blank.type },
    };
    yield taking;
    const located = yield* createNode(draft, at, blank, as, {
      id,
      keepsLook: true,
      ...(wanted !== undefined ? { title: wanted } : title !== "" && title !== defaultTitle && { title }),
    });
    const { node } = located;
    node.size = keptSize(before, node);
    draft.unplaced.set(node, outline(before));
    if (mode !== "active") yield switchMode(located, mode);
    if (color !== undefined) yield paint(located, color);
    for (const [widget, value] of known?.values ?? []) yield setWidget(located, widget, value);
    // What belongs to a choice is there once that is made.
    yield* setWidgets(draft, located, choices);
    for (const { slot, from } of fitting.inputs)
      if (!isWhole(node.inputs[slot]?.row)) yield link(at, from, { node: node.id, input: slot });
    for (const { slot, to } of fitting.outputs) yield link(at, { node: node.id, output: slot }, to);
    for (const { widget, value } of fitting.values) yield setWidget(located, widget, value);
    yield* fill(draft, located, widgets, inputs);
    // Another choice may have taken away again what was carried over.
    const isThere = (name: string) => [...node.widgets, ...node.inputs].some((each) => each.name === name);
    taking.renames.push(
      ...fitting.renamed.flatMap(({ from, to }) => (isThere(to) ? [`${id}.${from} to ${to}`] : [])),
    );
  },
});

/** Of a type that is not installed nobody knows which values are those of a new node: a few stand for the others. */
function lostValues({ id, isInstalled }: GraphNode, lost: readonly string[]): string[] {
  const shown = isInstalled || lost.length <= mostUnknown + 1 ? lost.length : mostUnknown;
  return [
    ...lost.slice(0, shown).map((each) => `${id}.${each}`),
    ...(shown < lost.length ? [`${lost.length - shown} more values of ${id}`] : []),
  ];
}

const mostUnknown = 4;
