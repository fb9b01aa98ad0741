import { z } from "zod";
import type { Comfy } from "../comfy/bridge";
import { changeLines } from "../graph/compact/changeWords";
import { describeNodes } from "../graph/compact/describe";
import { outlineGroups, outlineWorkflow } from "../graph/compact/outline";
import { around, graphAt, onlyNodes } from "../graph/compact/part";
import { type CompactGraph, type CompactWorkflow, instancePaths } from "../graph/compact/workflow";
import { graphLines, type Reading, writeCompact } from "../graph/compact/write";
import type { GraphNode, NodeId, Place } from "../graph/graph";
import { valueSource } from "../graph/valueSource";
import { type Form, firstThatFits } from "./read/forms";
import { nodeReferred } from "./read/references";
import { changesSince, lastShown, lookForModel, remember, type Sight } from "./read/sight";
import { defineTool, ToolError } from "./tool";
import { integerArgument, listArgument, textArgument } from "./values/arguments";

const brief = { valueLength: 200, noteLength: 80, tellsAsked: true };
const briefer = { valueLength: 120, noteLength: 40, tellsAsked: true };
const briefest = { valueLength: 60, noteLength: 20, tellsAsked: true };
/** Where there is no room for more: numbers and words whole, of files and prompts the beginning. */
const bare = { valueLength: 16, noteLength: 0 };
const manyNodes = 150;
const veryManyNodes = 250;

const askForValues = "Pass nodeIds to read those of a few nodes.";
const askForNodes = "Pass nodeIds, with view around also for what is near them.";

const views = ["compact", "outline", "around", "selection", "changes"] as const;

export const getWorkflowInfo = defineTool({
  name: "getWorkflowInfo",
  description:
    'Read the open workflow. One line per node, in order of flow: id type "title" input<sourceId.OUTPUT widget=value, where input<93 is the only or like-named output, input<? needs a source, >X is an unused output, S1 a subgraph told below, ^9.seed a widget of node 9 inside it, …+9 a cut by 9 characters; most values at their default are left out. Node 3 inside node 12 goes by 12:3. With nodeIds: all slots, widgets and choices of these nodes.',
  input: z.object({
    view: z
      .enum(views)
      .meta({
        description:
          "compact (default), outline (no values), around (nodeIds and what is near), selection, or changes since you last read.",
      })
      .optional(),
    nodeIds: listArgument(textArgument("Node id or title."), "Only these nodes.").optional(),
    depth: integerArgument("How many links around reaches; 1 if not given.", { min: 0, max: 20 }).optional(),
    values: z.enum(["full"]).meta({ description: "full: long values and notes whole." }).optional(),
  }),
  effect: "reads",
  share: "most",
  async run({ view, nodeIds = [], depth = 1, values }, comfy, { thread, room }) {
    const sight = await lookForModel(comfy);
    const before = lastShown(comfy, thread);
    remember(comfy, sight, thread);
    const { name } = comfy.workflow();
    const about = aboutWorkflow(comfy, sight);
    const reading = values === "full" ? { tellsAsked: true } : readingOf(about.nodes);
    const read = (what: string, forms: Iterable<Form>, more: object = {}) => {
      const resultOf = ({ entries, brief, ...form }: Form) => ({
        ok: true as const,
        summary: `Read ${what}${brief ?? ""} (revision ${sight.revision}).`,
        data: { ...about, ...more, ...form, text: entries.join("\n") },
      });
      return resultOf(firstThatFits(forms, askForNodes, (form) => room.holds(resultOf(form))));
    };
    if (view === "around" || (nodeIds.length > 0 && view !== undefined && view !== "selection"))
      return read(
        `the surroundings of ${nodeIds.join(", ")} in "${name}"`,
        readings(reading, (each) =>
          surroundings(comfy, sight, nodeIds, { depth: view === "around" ? depth : 0, reading: each }),
        ),
      );
    if (view === "selection")
      return read(
        `the selection in "${name}"`,
        readings(reading, (each) => selection(comfy, sight, each)),
      );
    if (nodeIds.length > 0) {
      const meant = () => nodeIds.map((reference) => nodeMeant(comfy, reference));
      await comfy.refreshChoices(meant().map(({ node }) => node.type));
      const nodes = meant();
      const ids = nodes.map(({ path }) => path).join(", ");
      const sourceOf = sourcesIn(comfy, nodes);
      return read(
        `node${nodes.length === 1 ? "" : "s"} ${ids} of "${name}"`,
        [{}, { valueLength: 300, choices: 8 }].map((lengths) => ({
          entries: nodes.map(({ node }) => describeNodes([node], { ...lengths, sourceOf })),
        })),
      );
    }
    const counts = `"${name}": ${about.nodes} nodes, ${about.links} links`;
    if (view === "changes" && before) {
      const lines = changeLines(changesSince(before, sight), comfy.openPlace());
      const changed = lines.length === 0 ? "nothing changed" : `${lines.length} changes`;
      return read(
        `"${name}" since revision ${before.revision}: ${changed}`,
        [{ entries: lines.length === 0 ? ["Nothing changed."] : lines }],
        { since: before.revision },
      );
    }
    if (about.nodes === 0) return read(counts, [{ entries: ["The workflow is empty."] }]);
    const { workflow } = sight;
    if (view === "outline") return read(counts, outlines(workflow));
    return read(counts, allForms(reading, workflow));
  },
  label: ({ view, nodeIds }) =>
    nodeIds && nodeIds.length > 0
      ? `Read node ${nodeIds.join(", ")}`
      : view === "changes"
        ? "Read what changed"
        : "Read the workflow",
});

/** Listings with ever shorter values, the first as asked for. */
function* readings(first: Reading, listing: (reading: Reading) => string): Iterable<Form> {
  const { valueLength = Infinity } = first;
  for (const reading of new Set<Reading>([first, brief, briefer, briefest, bare]))
    if (reading === first || (reading.valueLength ?? 0) < valueLength)
      yield {
        entries: listing(reading).split("\n"),
        ...(valueLength === Infinity &&
          reading !== first && { leftOut: `The rest of long values. ${askForValues}` }),
      };
}

function* allForms(reading: Reading, workflow: CompactWorkflow): Iterable<Form> {
  yield* readings(reading, (each) => writeCompact(workflow, each));
  for (const outline of outlines(workflow))
    yield {
      ...outline,
      brief: ", values left out",
      leftOut: outline.leftOut ?? `Widget values. ${askForValues}`,
    };
}

function* outlines(workflow: CompactWorkflow): Iterable<Form> {
  for (const hasTitles of [true, false])
    yield { view: "outline", entries: outlineWorkflow(workflow, { hasTitles }).split("\n") };
  yield {
    view: "outline",
    leftOut: `Values, and the nodes in groups and subgraphs. ${askForNodes}`,
    entries: outlineGroups(workflow).split("\n"),
  };
}

/** The more nodes, the less of each long value. */
function readingOf(nodes: number): Reading {
  if (nodes > veryManyNodes) return briefest;
  return nodes > manyNodes ? briefer : brief;
}

function aboutWorkflow(comfy: Comfy, { revision, workflow }: Sight) {
  const graphs: CompactGraph[] = [workflow, ...workflow.subgraphs];
  const sum = (count: (graph: CompactGraph) => number) =>
    graphs.reduce((all, graph) => all + count(graph), 0);
  const open = openSubgraph(comfy, { revision, workflow });
  return {
    workflow: comfy.workflow().name,
    revision,
    ...(open && { openSubgraph: open }),
    nodes: sum(({ nodes }) => nodes.length),
    links: sum(({ nodes }) => nodes.reduce((all, { links }) => all + links.length, 0)),
  };
}

/** What the user has open, as `S1 "Upscale", node 7`, and what that means for ids. */
function openSubgraph(comfy: Comfy, { workflow }: Sight): string | undefined {
  const scope = comfy.scope();
  if (scope.kind === "workflow") return undefined;
  const subgraph = workflow.subgraphs.find(({ id }) => id === scope.id);
  const paths = subgraph && instancePaths(workflow).get(subgraph.key);
  const at = paths && paths.length > 0 ? `, node ${paths.join(" or ")}` : "";
  return `${subgraph?.key ?? ""} ${JSON.stringify(scope.name)}${at}; ids without a path mean nodes in it`.trim();
}

interface NodeMeant {
  place: Place | undefined;
  id: NodeId;
}

/** By a path such as `12:3`, else by id or title in the open graph, else in the workflow's own. */
function placeMeant(comfy: Comfy, reference: string): NodeMeant {
  const path = reference
    .trim()
    .replace(/^(?:node\s*)?#?/i, "")
    .split(":");
  if (path.length > 1 && path.every((part) => /^\w+$/.test(part)))
    return { place: path.slice(0, -1), id: path.at(-1) ?? "" };
  const isInRoot = nodeAt(comfy, [], path[0] ?? "") !== undefined && !nodeAt(comfy, undefined, path[0] ?? "");
  return isInRoot
    ? { place: [], id: path[0] ?? "" }
    : { place: undefined, id: nodeReferred(comfy.graph(), reference).id };
}

function nodeMeant(comfy: Comfy, reference: string) {
  const { place, id } = placeMeant(comfy, reference);
  const node = nodeAt(comfy, place, id);
  if (node) return { node, place: place ?? comfy.openPlace(), path: place ? [...place, id].join(":") : id };
  throw new ToolError(
    `There is no node "${reference}".`,
    "Call getWorkflowInfo to see the nodes and their ids.",
  );
}

/** What feeds a widget of one of these nodes. */
function sourcesIn(comfy: Comfy, nodes: readonly { node: GraphNode; place: Place }[]) {
  const graphs = { at: comfy.graph, open: comfy.openPlace() };
  const places = new Map(nodes.map(({ node, place }) => [node, place]));
  return (node: GraphNode, widget: string) =>
    valueSource(graphs, places.get(node) ?? [], node, widget)?.from[0];
}

function nodeAt(comfy: Comfy, place: Place | undefined, id: NodeId) {
  try {
    return comfy.node(id, place);
  } catch {
    return undefined;
  }
}

function surroundings(
  comfy: Comfy,
  { workflow }: Sight,
  references: readonly string[],
  { depth, reading }: { depth: number; reading: Reading },
): string {
  if (references.length === 0)
    throw new ToolError("Around which nodes? No nodeIds were given.", "Pass the ids of one or a few nodes.");
  const groups = new Map<string, NodeId[]>();
  for (const reference of references) {
    const { place, id } = placeMeant(comfy, reference);
    const key = (place ?? openPlace(comfy, workflow)).join(":");
    groups.set(key, [...(groups.get(key) ?? []), id]);
  }
  return [...groups]
    .flatMap(([key, ids]) => {
      const graph = graphAt(workflow, key === "" ? [] : key.split(":"));
      const missing = ids.find((id) => !graph?.nodes.some((node) => node.id === id));
      if (!graph || missing !== undefined)
        throw new ToolError(
          `There is no node ${missing ?? key}.`,
          "Call getWorkflowInfo to see the nodes and their ids.",
        );
      return [
        ...(key === "" ? [] : [`# inside ${key}`]),
        ...graphLines(onlyNodes(graph, around(graph, ids, depth)), reading),
      ];
    })
    .join("\n");
}

function selection(comfy: Comfy, { workflow }: Sight, reading: Reading): string {
  const selected = new Set(comfy.graph().selection);
  const place = openPlace(comfy, workflow);
  const graph = graphAt(workflow, place);
  if (selected.size === 0 || !graph) return "Nothing is selected.";
  return [
    ...(place.length === 0 ? [] : [`# inside ${place.join(":")}`]),
    ...graphLines(onlyNodes(graph, selected), reading),
  ].join("\n");
}

/** One of the places where the graph on the canvas is. */
function openPlace(comfy: Comfy, workflow: Sight["workflow"]): Place {
  const scope = comfy.scope();
  if (scope.kind === "workflow") return [];
  const subgraph = workflow.subgraphs.find(({ id }) => id === scope.id);
  return (subgraph && instancePaths(workflow).get(subgraph.key)?.[0]?.split(":")) ?? [];
}
