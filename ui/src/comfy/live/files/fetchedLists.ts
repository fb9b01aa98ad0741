/**
 * Choices that the page fetches from the server once somebody looks at them, such as the pictures of the output folder.
 * Until then a widget has a text in their place. When they come, the page puts a choice into each widget that holds none
 * of them; a page of 1.32 puts the first one into any.
 */

import type { Json } from "../../../graph/graph";
import { makeBlankNode } from "../editing/blankNode";
import { putValue } from "../editing/putValue";
import { relink } from "../editing/relink";
import { type LiveNode, type LiveWidget, type Page, rootGraph, type SerialisedGraph } from "../page";
import { inPageForm } from "../reading/definition";
import { savedWidgets } from "../reading/nodeShapes";

const longest = 3_000;
const between = 20;

/**
 * Resolves when all nodes have their choices, the page has done what it does then, and what was given to widgets stands
 * in them again. At once where no node fetches any, after three seconds at the latest, or when `isOver`.
 */
export async function listsFetched(page: Page, isOver: () => boolean = () => false): Promise<void> {
  const given = givenTo.get(page) ?? [];
  givenTo.delete(page);
  const root = rootGraph(page);
  const graphs = [root, ...(root.subgraphs?.values() ?? [])];
  const widgets = graphs.flatMap(({ nodes }) => nodes.flatMap(fetchingWidgets));
  if (widgets.length === 0 || !(await areThere(widgets, isOver))) return;
  for (const { widget, held, put } of given) if (widget.value !== held) put();
}

/** Fetches the choices of these types anew. True where there are such and they have come: what was read before may differ. */
export async function fetchListsAgain(page: Page, types: readonly string[]): Promise<boolean> {
  const registered = page.liteGraph.registered_node_types;
  const fetching = types.filter((type) => namesOf(registered[type]?.nodeData).size > 0);
  const widgets = fetching.flatMap((type) => {
    const node = makeBlankNode(page, type);
    return node ? fetchingWidgets(node) : [];
  });
  for (const widget of widgets) widget.refresh?.();
  return widgets.length > 0 && (await areThere(widgets));
}

/** Gives the widget a value, which then stays when its choices come. */
export function giveForGood(page: Page, node: LiveNode, widget: LiveWidget, put: () => void): void {
  put();
  if (!node.graph || !fetchingWidgets(node).includes(widget)) return;
  remember(page, { widget, held: widget.value, put });
}

function remember(page: Page, given: Given): void {
  givenTo.set(page, [...(givenTo.get(page) ?? []), given]);
}

/**
 * As the page loads a workflow, with the links that it loses; what this has for fetched choices stands in the widgets
 * once the list has come.
 */
export async function loadWithLists(
  page: Page,
  ...[workflow, ...how]: Parameters<Page["app"]["loadGraphData"]>
): Promise<void> {
  const saved = valuesIn(workflow);
  await page.app.loadGraphData(workflow, ...how);
  relink(page, Object(workflow));
  const root = rootGraph(page);
  for (const graph of [root, ...(root.subgraphs?.values() ?? [])])
    for (const node of graph.nodes) {
      const values = saved.get(keyOf(graph === root ? "" : graph.id, node.id)) ?? [];
      for (const widget of fetchingWidgets(node)) {
        const held = values[savedWidgets(node).indexOf(widget)];
        if (held === undefined) continue;
        remember(page, { widget, held, put: () => putValue(page, node, widget, held, widget.name) });
      }
    }
  await listsFetched(page);
}

/** By graph and node; not of nodes that save their values in a form of their own. */
function valuesIn(workflow: unknown): ReadonlyMap<string, readonly Json[]> {
  const { nodes = [], definitions }: Partial<SerialisedGraph> = Object(workflow);
  const graphs = [{ id: "", nodes }, ...(definitions?.subgraphs ?? [])];
  return new Map(
    graphs.flatMap(({ id, nodes }) =>
      nodes.flatMap(({ id: node, widgets_values: values }) =>
        Array.isArray(values) ? [[keyOf(id, node), values] as const] : [],
      ),
    ),
  );
}

function keyOf(graph: string, node: string | number): string {
  return `${graph}:${node}`;
}

interface Given {
  widget: LiveWidget;
  held: unknown;
  put(): void;
}

const givenTo = new WeakMap<Page, Given[]>();

/** Whether its choices are still to come. */
export function awaitsChoices(node: LiveNode, widget: LiveWidget): boolean {
  return fetchingWidgets(node).includes(widget) && !hasList(widget);
}

function fetchingWidgets({ widgets = [], constructor: { nodeData } }: LiveNode): LiveWidget[] {
  const names = namesOf(nodeData);
  return names.size === 0 ? [] : widgets.filter(({ name }) => names.has(name));
}

/** Of the inputs whose choices are fetched. */
function namesOf(nodeData: unknown): ReadonlySet<string> {
  if (nodeData === null || typeof nodeData !== "object") return none;
  const names = namesIn.get(nodeData) ?? fetchedInputs(nodeData);
  namesIn.set(nodeData, names);
  return names;
}

const none: ReadonlySet<string> = new Set();
const namesIn = new WeakMap<object, ReadonlySet<string>>();

function fetchedInputs(nodeData: object): Set<string> {
  const { inputs } = Object(inPageForm(nodeData));
  return new Set(
    Object.entries(Object(inputs)).flatMap(([name, input]) => {
      const { type, remote } = Object(input);
      return type === "COMBO" && remote ? [name] : [];
    }),
  );
}

/** The page acts on a list just after it has come. */
async function areThere(widgets: readonly LiveWidget[], isOver = () => false): Promise<boolean> {
  const end = Date.now() + longest;
  while (widgets.map(hasList).includes(false)) {
    if (isOver() || Date.now() > end) return false;
    await after(between);
  }
  await after(0);
  return true;
}

/** Looking at it is what has the page fetch it. */
function hasList({ options }: LiveWidget): boolean {
  return Array.isArray(options?.values);
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
