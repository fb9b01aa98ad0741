/** Everything about a few nodes, in the words of the compact form: for a model that wants to change them. */

import { isMissingFrom } from "../fileChoices";
import type { GraphInput, GraphNode, GraphOutput, GraphWidget } from "../graph";
import { drawn } from "../placement";
import { savedByPlace } from "./nodeValues";
import type { CompactLink } from "./workflow";
import {
  labelledWord,
  linkSourceWord,
  linkWord,
  nodeHead,
  sourceWord,
  subgraphWord,
  valueAssignment,
  valueText,
} from "./write";

interface Description {
  valueLength?: number;
  choices?: number;
  tellsPlaces?: boolean;
  /** What decides in place of a widget's own value, such as `103.INT`. */
  sourceOf?(node: GraphNode, widget: string): string | undefined;
  /** The link into an input that no wire draws. */
  unwiredInto?(node: GraphNode, input: string): CompactLink | undefined;
}

/** Slots with their types, and every widget with what it may be set to, or that it is not used. */
export function describeNodes(
  nodes: readonly GraphNode[],
  { valueLength = 2000, choices = 20, tellsPlaces = false, sourceOf, unwiredInto }: Description = {},
): string {
  return nodes
    .flatMap((node) => [
      headOf(node, tellsPlaces),
      ...(node.follows ?? []).map(
        (source) => `  ${linkWord({ input: "", source: { node: source }, unwired: {} })}`,
      ),
      ...node.inputs
        .map((input) => ({ ...input, unwired: unwiredInto?.(node, input.name) }))
        .filter(({ isWidget, linkedFrom, unwired }) => !isWidget || linkedFrom || unwired)
        .map(inputLine),
      ...node.outputs.map(outputLine),
      ...node.widgets
        .filter(({ isHidden }) => !isHidden)
        .map((widget) => {
          const source = sourceOf?.(node, widget.name);
          const domain = source === undefined ? widgetDomain(widget, choices) : `(unused: from ${source})`;
          return `  ${widgetWord(widget, valueLength)} ${domain}`;
        }),
      ...savedByPlace(node.savedValues).map((value) => `  ${valueAssignment(value, valueLength)}`),
    ])
    .join("\n");
}

/** What a widget may be set to: `integer 1..4096`, `one of 42: euler, heun, …`. */
export function widgetDomain(widget: GraphWidget, shownChoices = 20): string {
  if (widget.choices) {
    const shown = widget.choices.slice(0, shownChoices).map(String).join(", ");
    return `(one of ${widget.choices.length}: ${shown}${widget.choices.length > shownChoices ? ", …" : ""})`;
  }
  if (widget.kind !== "integer" && widget.kind !== "number") return `(${widget.kind})`;
  const range =
    widget.min === undefined && widget.max === undefined ? "" : ` ${widget.min ?? ""}..${widget.max ?? ""}`;
  const step = widget.step === undefined || widget.step === 1 ? "" : ` step ${widget.step}`;
  return `(${widget.kind}${range}${step})`;
}

function headOf(node: GraphNode, tellsPlaces: boolean): string {
  const { id, type, title, defaultTitle, mode, isInstalled, subgraph, price } = node;
  const isOwnTitle = title !== "" && title !== (subgraph?.name ?? defaultTitle) && title !== type;
  const head = nodeHead(
    {
      id,
      type,
      mode,
      ...(isOwnTitle && { title }),
      ...(!isInstalled && { remarks: { isUninstalled: true } }),
    },
    subgraph && subgraphWord(subgraph.name),
  );
  const placed = tellsPlaces ? `${head} ${placeWord(node)}` : head;
  return price ? `${placed} # costs ${price}` : placed;
}

/** `at 900,375 315x504`: the height with the title bar, so that one of them further down is clear of it. */
function placeWord(node: GraphNode): string {
  const { width, height } = drawn(node);
  const [x, y, wide, high] = [node.position.x, node.position.y, width, height].map(Math.round);
  return `at ${x},${y} ${wide}x${high}`;
}

function inputLine({
  name,
  label,
  type,
  isOptional,
  linkedFrom,
  unwired,
}: GraphInput & { unwired: CompactLink | undefined }): string {
  const wired = linkedFrom && sourceWord({ node: linkedFrom.node, slot: linkedFrom.name });
  const word = unwired ? linkSourceWord(unwired) : wired;
  const source = word && `<${word}`;
  return `  in ${labelledWord(name, label)} ${type} ${source ?? (isOptional ? "(optional)" : "<?")}`;
}

function outputLine({ name, label, type, linkedTo }: GraphOutput): string {
  return `  out ${labelledWord(name, label)} ${type}${linkedTo.map((to) => ` >${sourceWord({ node: to.node, slot: to.name })}`).join("")}`;
}

function widgetWord({ name, label, value, choices }: GraphWidget, length: number): string {
  const isMissing = isMissingFrom(choices, value);
  return `${labelledWord(name, label)}=${valueText({ name, value, isMissing }, length)}`;
}
