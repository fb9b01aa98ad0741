/** Reads what is open: as a whole, some nodes of it, or what has changed. */

import type { Comfy, Tab } from "../../comfy/bridge";
import { failureWords } from "../../comfy/failureWords";
import { changeLines, toldNodes } from "../../graph/compact/changeWords";
import { describeNodes } from "../../graph/compact/describe";
import { definitionAt } from "../../graph/compact/part";
import { compactLink } from "../../graph/compact/unwired";
import { instancePaths, linkCount, nodeCount } from "../../graph/compact/workflow";
import type { GraphNode, Place } from "../../graph/graph";
import { inputKey, type UnwiredLink } from "../../graph/unwired";
import { valueSource } from "../../graph/valueSource";
import { cut } from "../../shared/cut";
import { fewEntries } from "../../shared/few";
import { type ToolContext, ToolError, type ToolResult } from "../tool";
import { changesElsewhere } from "./changedElsewhere";
import { type Form, firstThatFits, shownIn } from "./forms";
import { goToTab } from "./goToTab";
import { changesSince, nodeKey, type Sight } from "./known";
import { nodeMeant, partMeant } from "./nodesMeant";
import { selection, surroundings } from "./partsShown";
import { lastShown, lookForModel, remember } from "./sight";
import type { OpenRead } from "./views";
import { askForNodes, readingOf, readings, shortOutlines, wholeValues, workflowForms } from "./workflowForms";

/** Of characters. */
const longestFailure = 500;

/** With `tab`, of the workflow that is then open. */
export async function readOpen(
  comfy: Comfy,
  context: ToolContext,
  { tab, ...asked }: OpenRead & { tab?: string | undefined },
): Promise<ToolResult> {
  const left = tab === undefined ? undefined : await goToTab(comfy, context, tab);
  const { thread, room } = context;
  const { view, nodeIds: references = [], depth: givenDepth, values } = asked;
  if (references.length > 0 && (view === "selection" || view === "changes"))
    throw new ToolError(
      `view ${view} is of ${view === "selection" ? "what the user has selected" : "the whole workflow"}; nodeIds were given too.`,
      "Leave nodeIds out, or view.",
    );
  const isAround =
    view === "around" || (view === undefined && givenDepth !== undefined && references.length > 0);
  const notUsed = [
    ...(givenDepth !== undefined && !isAround ? ["depth"] : []),
    ...(values && view === "outline" && references.length === 0 ? ["values"] : []),
  ];
  const sight = await lookForModel(comfy);
  const before = lastShown(comfy, thread);
  const { name } = comfy.workflow();
  const about = aboutWorkflow(comfy, sight);
  const parts = references.map((each) => partMeant(comfy, sight, each));
  const nodeIds = references.flatMap((each, index) => parts[index] ?? [each]);
  const reading = values === "full" ? wholeValues : readingOf(sight.workflow);
  const elsewhere = changesElsewhere(comfy, before, sight);
  const read = (
    what: string | ((form: Form) => string),
    forms: Iterable<Form>,
    more: object = {},
    ask = askForNodes,
  ) => {
    const resultOf = (each: Form) => {
      const { entries, brief, tells: _tells, distances: _distances, names: _names, ...form } = each;
      const changedByTheUser = elsewhere(each);
      return {
        ok: true as const,
        summary: `${left === undefined ? "" : wentWords(name, left)}Read ${typeof what === "string" ? what : what(each)}${brief ?? ""} (revision ${sight.revision}).${unusedWords(notUsed)}`,
        data: {
          ...about,
          ...more,
          ...(notUsed.length > 0 && { notUsed }),
          ...form,
          ...(changedByTheUser && { changedByTheUser }),
          text: entries.join("\n"),
        },
      };
    };
    const form = firstThatFits(forms, ask, (each) => room.holds(resultOf(each)));
    remember(comfy, sight, thread, shownIn(form));
    return resultOf(form);
  };
  const isInLines = isAround || view !== undefined || parts.some((part) => part !== undefined);
  if (isAround || (references.length > 0 && isInLines))
    return read(
      `the surroundings of ${references.join(", ")} in "${name}"`,
      readings(
        reading,
        surroundings(
          comfy,
          sight,
          {
            nodeIds,
            named: references.filter((_, index) => parts[index] === undefined),
            empty: references.filter((_, index) => parts[index]?.length === 0),
          },
          isAround ? (givenDepth ?? 1) : 0,
        ),
      ),
    );
  if (view === "selection")
    return read(`the selection in "${name}"`, readings(reading, selection(comfy, sight)));
  if (nodeIds.length > 0) {
    const meant = () => nodeIds.map((reference) => nodeMeant(comfy, reference));
    await comfy.refreshChoices(meant().map(({ node }) => node.type));
    const nodes = meant();
    const names = nodes.map(({ path }) => path);
    const sourceOf = sourcesIn(comfy, nodes);
    const unwiredInto = unwiredLinksInto(nodes, (await comfy.unwired()).links);
    return read(
      ({ names: shown = names }) =>
        `node${shown.length === 1 ? "" : "s"} ${shown.join(", ") || "(none)"} of "${name}"`,
      [{}, { valueLength: 300, choices: 8 }, { valueLength: 60, choices: 2 }].map((lengths) => ({
        entries: nodes.map(({ node }) =>
          describeNodes([node], { ...lengths, tellsPlaces: true, sourceOf, unwiredInto }),
        ),
        names,
        tells: nodes.map(({ node, place }) =>
          nodeKey({ graph: definitionAt(sight.workflow, place), node: node.id }),
        ),
      })),
      {},
      "Ask for these nodes alone, in the next step.",
    );
  }
  const isFirst = view === "changes" && !before;
  const counts = `"${name}"${isFirst ? ", all of it, which you had not read before" : ""}: ${about.nodes} nodes, ${about.links} links`;
  if (view === "changes" && before) {
    const changes = changesSince(before, sight);
    const lines = changeLines(changes, comfy.openPlace(), values === "full" ? {} : undefined);
    const changed = lines.length === 0 ? "nothing changed" : `${lines.length} changes`;
    return read(
      `"${name}" since revision ${before.revision}: ${changed}`,
      lines.length === 0
        ? [{ entries: ["Nothing changed."] }]
        : [{ entries: lines }, { entries: lines, tells: toldNodes(changes).map(nodeKey) }],
      { since: before.revision },
      "Call it again for the next.",
    );
  }
  if (about.nodes === 0) return read(counts, [{ entries: ["The workflow is empty."] }]);
  const { workflow } = sight;
  if (view === "outline") return read(counts, shortOutlines(workflow));
  return read(counts, workflowForms(workflow, reading));
}

function wentWords(name: string, left: string): string {
  return `"${name}" is open now, for the person too ("${left}" was). `;
}

function unusedWords(names: readonly string[]): string {
  return names.length === 0 ? "" : ` This view has no ${names.join(", ")}: that was ignored.`;
}

function aboutWorkflow(comfy: Comfy, { revision, workflow }: Sight) {
  const subgraph = openSubgraph(comfy, { revision, workflow });
  const failure = comfy.queue.shownFailure();
  const others = comfy.tabs().filter(({ key }) => key !== comfy.workflow().key);
  return {
    workflow: comfy.workflow().name,
    revision,
    ...(subgraph && { openSubgraph: subgraph }),
    ...(failure && { lastRunFailed: cut(failureWords(failure), longestFailure) }),
    ...(others.length > 0 && { otherTabs: fewEntries(others.map(tabWords), mostTabs) }),
    nodes: nodeCount(workflow),
    links: linkCount(workflow),
  };
}

/** Each reading has them, and some people keep dozens. */
const mostTabs = 8;

function tabWords({ name, nodes }: Tab): string {
  return nodes === undefined ? name : `${name} (${nodes} nodes)`;
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

/** What feeds a widget of one of these nodes. */
function sourcesIn(comfy: Comfy, nodes: readonly { node: GraphNode; place: Place }[]) {
  const graphs = { at: comfy.graph, open: comfy.openPlace() };
  const places = new Map(nodes.map(({ node, place }) => [node, place]));
  return (node: GraphNode, widget: string) =>
    valueSource(graphs, places.get(node) ?? [], node, widget)?.from[0];
}

function unwiredLinksInto(
  nodes: readonly { node: GraphNode; place: Place }[],
  links: readonly UnwiredLink[],
) {
  const places = new Map(nodes.map(({ node, place }) => [node, place]));
  const found = new Map(links.map((link) => [inputKey(link), compactLink(link)]));
  return (node: GraphNode, input: string) =>
    found.get(inputKey({ place: places.get(node) ?? [], node: node.id, input }));
}
