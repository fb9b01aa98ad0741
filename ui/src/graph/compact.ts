/** A graph as few readable lines for a language model. */

import type { Graph, GraphInput, GraphNode, GraphWidget, Json, LinkSource, NodeId } from "./graph";
import { subgraphInput } from "./graph";

const noteTypes = new Set(["Note", "MarkdownNote"]);

/**
 * One line per node: `8 VAEDecode "my title" bypassed samples<3 vae<4.VAE tile=512`.
 *
 * `<` names the source of an input, with its slot where the source has several; `<?` is a required input without a
 * source. Widgets at their default are left out, long values and notes are cut, and a choice that is not installed is
 * followed by `(missing)`.
 */
export function compactGraph(graph: Graph, { valueLength = 200, noteLength = 160 } = {}): string {
  const sources = outputCounts(graph);
  return [
    ...graph.nodes.map((node) => nodeLine(node, sources, { valueLength, noteLength })),
    ...boundaryLines(graph, sources),
    ...graph.groups.map(({ title, nodes }) => `group ${quoted(title)}: ${nodes.join(" ")}`),
    ...(graph.selection.length > 0 ? [`selected: ${graph.selection.join(" ")}`] : []),
  ].join("\n");
}

/** Everything about a few nodes: slots with types, every widget with what it may be set to. */
export function describeNodes(
  nodes: readonly GraphNode[],
  { valueLength = 2000, choices = 20 } = {},
): string {
  return nodes
    .map((node) =>
      [
        nodeHead(node),
        ...node.inputs
          .filter((input) => !input.isWidget || input.linkedFrom)
          .map((input) => `  in ${word(input.name)} ${input.type} ${inputState(input)}`),
        ...node.outputs.map(
          (output) =>
            `  out ${word(output.name)} ${output.type}${output.linkedTo.map((to) => ` >${to.node}.${word(to.name)}`).join("")}`,
        ),
        ...node.widgets.map(
          (widget) => `  ${widgetWord(widget, valueLength)} ${widgetDomain(widget, choices)}`,
        ),
      ].join("\n"),
    )
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

/** Cut to `length` characters, telling how many were left out. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length - length} more characters)`;
}

function nodeLine(
  node: GraphNode,
  sources: ReadonlyMap<NodeId, number>,
  { valueLength, noteLength }: { valueLength: number; noteLength: number },
): string {
  const length = noteTypes.has(node.type) ? noteLength : valueLength;
  const linked = new Set(node.inputs.filter((input) => input.linkedFrom).map((input) => input.name));
  const isLoose = node.outputs.length > 0 && node.outputs.every((output) => output.linkedTo.length === 0);
  return [
    nodeHead(node),
    ...node.inputs.flatMap((input) => inputWord(input, sources)),
    ...node.widgets
      .filter((widget) => !linked.has(widget.name) && !isDefault(widget))
      .map((widget) => widgetWord(widget, length)),
    ...(isLoose ? [`>${node.outputs.map((output) => word(output.name)).join(",")}`] : []),
  ].join(" ");
}

function nodeHead(node: GraphNode): string {
  return [
    node.id,
    node.subgraph ? "Subgraph" : word(node.type),
    ...(node.subgraph || (node.title !== "" && node.title !== node.defaultTitle) ? [quoted(node.title)] : []),
    ...(node.mode === "active" ? [] : [node.mode]),
    ...(node.isInstalled ? [] : ["(not installed)"]),
  ].join(" ");
}

function inputWord(input: GraphInput, sources: ReadonlyMap<NodeId, number>): string[] {
  if (input.linkedFrom) return [`${word(input.name)}<${sourceWord(input.linkedFrom, sources)}`];
  return input.isWidget || input.isOptional ? [] : [`${word(input.name)}<?`];
}

function inputState(input: GraphInput): string {
  if (input.linkedFrom) return `<${input.linkedFrom.node}.${word(input.linkedFrom.name)}`;
  return input.isOptional ? "(optional)" : "<?";
}

function sourceWord(source: LinkSource, sources: ReadonlyMap<NodeId, number>): string {
  const needsSlot = source.node === subgraphInput || (sources.get(source.node) ?? 0) > 1;
  return needsSlot ? `${source.node}.${word(source.name)}` : source.node;
}

function outputCounts(graph: Graph): ReadonlyMap<NodeId, number> {
  return new Map(graph.nodes.map((node) => [node.id, node.outputs.length]));
}

function boundaryLines(graph: Graph, sources: ReadonlyMap<NodeId, number>): string[] {
  if (graph.scope.kind === "workflow") return [];
  return graph.scope.outputs.map(
    ({ name, linkedFrom }) => `output.${word(name)}<${linkedFrom ? sourceWord(linkedFrom, sources) : "?"}`,
  );
}

function isDefault(widget: GraphWidget): boolean {
  const usual = widget.default ?? (widget.kind === "text" ? "" : undefined);
  return usual !== undefined && usual === widget.value;
}

function widgetWord(widget: GraphWidget, length: number): string {
  const isMissing = widget.choices !== undefined && !widget.choices.some((choice) => choice === widget.value);
  return `${word(widget.name)}=${valueWord(widget.value, length)}${isMissing ? "(missing)" : ""}`;
}

function valueWord(value: Json, length: number): string {
  if (typeof value === "string") return word(cut(value, length));
  return cut(JSON.stringify(value), length);
}

/** Plain where it cannot be misread, quoted where it holds spaces or signs of this notation. */
function word(text: string): string {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_.:/\\+-]*$/u.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
