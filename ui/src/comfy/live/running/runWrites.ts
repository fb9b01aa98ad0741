/** What the page writes into widgets by itself for a run, whoever began it: seeds that it rolls, texts that a node shows. */

import { isPlain } from "../../../graph/sameState";
import type { IsByRun } from "../../../graph/writtenByRuns";
import type { LiveWorkflow, Page } from "../page";
import { rootGraph } from "../page";

/** Of one widget, the latest. */
const mostValues = 50;

/** By graph, node and index or name of the widget. */
type Values = Map<string, unknown>;

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
  let held: (() => void) | undefined;
  let stopHearing = () => {};

  /** What it returns notes what is written by then into the widgets of the open workflow, or of one node of it. */
  function hold(node?: string): () => void {
    const workflow = open();
    const before = readValues(page, node);
    return () => {
      if (!workflow || workflow !== open()) return;
      const known = written.get(workflow) ?? new Map<string, Set<unknown>>();
      written.set(workflow, known);
      for (const [place, now] of readValues(page, node)) {
        if (before.get(place) === now || !isPlain(now)) continue;
        const values = known.get(place) ?? new Set();
        known.set(place, values.add(now));
        const [oldest] = values;
        if (values.size > mostValues) values.delete(oldest);
      }
    };
  }

  function release(): void {
    held?.();
    held = undefined;
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
      release();
      if (queueing > 0) held = hold();
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
      ?.get(keyOf(graph, node, place))
      ?.has(value) ?? false;
}

/** The last part of `3:5`, which is node 5 in the subgraph of node 3. */
function executedNode(detail: unknown): string {
  const { node, display_node = node } = Object(detail) as { node?: unknown; display_node?: unknown };
  return String(display_node).split(":").at(-1) ?? "";
}

function keyOf(graph: string, node: string, place: string | number): string {
  return `${graph} ${node} ${place}`;
}

function readValues(page: Page, only?: string): Values {
  const root = rootGraph(page);
  const values: Values = new Map();
  for (const [graph, { nodes }] of [["", root] as const, ...(root.subgraphs ?? [])])
    for (const node of nodes) {
      const id = String(node.id);
      if (only !== undefined && id !== only) continue;
      for (const [index, { name, value }] of (node.widgets ?? []).entries())
        for (const place of [index, name]) values.set(keyOf(graph, id, place), value);
    }
  return values;
}
