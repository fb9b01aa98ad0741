/** What the page writes into widgets by itself for a run, whoever began it: seeds that it rolls, texts that a node shows. */

import { isPlain } from "../../../graph/sameState";
import type { IsByRun } from "../../../graph/writtenByRuns";
import type { LiveWorkflow, Page } from "../page";
import { rootGraph } from "../page";

/** Of one widget, the latest. */
const mostValues = 50;

/** Name and value of each widget of a node. */
type Held = readonly (readonly [name: string, value: unknown])[];

/** By graph and node. */
type Reading = ReadonlyMap<string, Held>;

/**
 * Listens to `app.queuePrompt` and to what nodes are handed of a run from now on. What the person does while a run is on
 * its way to the server ends what counts as the page's own; it begins anew with the server's answer, upon which the page
 * rolls once more.
 */
export function noteRunWrites(
  page: Page,
  hearPerson: (listener: () => void) => () => void,
  open: () => LiveWorkflow | null | undefined,
): (workflow: LiveWorkflow) => IsByRun {
  const { app, api } = page;
  const written = new WeakMap<LiveWorkflow, Map<string, Set<unknown>>>();
  let queueing = 0;
  let held: (() => Reading | undefined) | undefined;
  let stopHearing = () => {};

  /** What it returns notes what is written by then into the widgets of the open workflow, or of one node of it, and reads them. */
  function hold(node?: string, before = readValues(page, node)): () => Reading | undefined {
    const workflow = open();
    return () => {
      if (!workflow || workflow !== open()) return undefined;
      const known = written.get(workflow) ?? new Map<string, Set<unknown>>();
      written.set(workflow, known);
      const after = readValues(page, node);
      for (const [key, now] of after)
        for (const [place, value] of changed(before.get(key) ?? [], now)) {
          const values = known.get(`${key} ${place}`) ?? new Set();
          known.set(`${key} ${place}`, values.add(value));
          const [oldest] = values;
          if (values.size > mostValues) values.delete(oldest);
        }
      return after;
    };
  }

  function release(): Reading | undefined {
    const after = held?.();
    held = undefined;
    return after;
  }

  const queue = app.queuePrompt;
  app.queuePrompt = async function (this: unknown, ...given) {
    if (queueing++ === 0) {
      held = hold();
      stopHearing = hearPerson(release);
    }
    try {
      return await queue.apply(this as typeof app, given);
    } finally {
      if (--queueing === 0) {
        release();
        stopHearing();
      }
    }
  };

  const submit = api.queuePrompt;
  api.queuePrompt = async function (this: unknown, ...given) {
    try {
      return await submit.apply(this as typeof api, given);
    } finally {
      const after = release();
      if (queueing > 0) held = hold(undefined, after);
    }
  };

  const dispatch = api.dispatchCustomEvent;
  if (dispatch)
    api.dispatchCustomEvent = function (this: unknown, type, ...rest) {
      const node = type === "executed" ? executedNode(rest[0]) : undefined;
      const note = node === undefined ? () => {} : hold(node);
      try {
        return dispatch.apply(this as typeof api, [type, ...rest]);
      } finally {
        note();
      }
    };

  return (workflow) => (graph, node, place, value) =>
    written
      .get(workflow)
      ?.get(`${keyOf(graph, node)} ${place}`)
      ?.has(value) ?? false;
}

/** The last part of `3:5`, which is node 5 in the subgraph of node 3. */
function executedNode(detail: unknown): string {
  const { node, display_node = node } = Object(detail) as { node?: unknown; display_node?: unknown };
  return String(display_node).split(":").at(-1) ?? "";
}

function keyOf(graph: string, node: string | number): string {
  return `${graph} ${node}`;
}

/** Of all nodes, or of those with this id. A large workflow is read three times for each run, so no more than this is done. */
function readValues(page: Page, only?: string): Reading {
  const root = rootGraph(page);
  const values = new Map<string, Held>();
  for (const [graph, { nodes }] of [["", root] as const, ...(root.subgraphs ?? [])])
    for (const { id, widgets } of nodes)
      if (widgets && (only === undefined || String(id) === only))
        values.set(
          keyOf(graph, id),
          widgets.map(({ name, value }) => [name, value]),
        );
  return values;
}

/** What is another now, by index and by name of its widget. */
function changed(before: Held, now: Held): [place: string, value: unknown][] {
  const isAsBefore =
    now.length === before.length &&
    now.every(([name, value], index) => before[index]?.[0] === name && before[index][1] === value);
  if (isAsBefore) return [];
  const held = byPlace(before);
  return [...byPlace(now)].filter(([place, value]) => held.get(place) !== value && isPlain(value));
}

function byPlace(widgets: Held): Map<string, unknown> {
  return new Map(
    widgets.flatMap(([name, value], index) => [[String(index), value] as const, [name, value] as const]),
  );
}
