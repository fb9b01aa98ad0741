/** A few fields of nodes and what packs keep beside them, set on the page as a saved state has them: a large workflow takes seconds to load. */

import type { Json } from "../../../graph/graph";
import { isSame } from "../../../graph/sameState";
import type { UiNode, UiWorkflow } from "../../../graph/uiWorkflow";
import type { LiveNode, Page } from "../page";
import { liveNode, rootGraph } from "../page";
import { savedWidgets } from "../reading/nodeShapes";
import { widgetName } from "../reading/widgets";
import { setWidget } from "./setWidget";

type Fields = Record<string, unknown>;
type Change = () => void;

/** What makes the one state of the other; undefined where that takes more than fields of nodes and `extra`. */
export function changesInPlace(page: Page, from: UiWorkflow, to: UiWorkflow): Change[] | undefined {
  const drawn = (state: UiWorkflow) => ({ ...state, nodes: [], extra: {} });
  if (!isSame(drawn(from), drawn(to)) || from.nodes.length !== to.nodes.length) return undefined;
  const before = new Map(from.nodes.map((node) => [String(node.id), node]));
  const changes = changesOfExtra(page, from, to);
  for (const wanted of to.nodes) {
    const present = before.get(String(wanted.id));
    if (!present) return undefined;
    if (isSame(present, wanted)) continue;
    const node = liveNode(rootGraph(page), String(wanted.id));
    const ofNode = node && !node.subgraph ? changesOfNode(page, node, present, wanted) : undefined;
    if (!ofNode) return undefined;
    changes.push(...ofNode);
  }
  return changes;
}

function changesOfExtra(page: Page, from: UiWorkflow, to: UiWorkflow): Change[] {
  const [before, after] = [from, to].map((state) => Object((state as { extra?: unknown }).extra)) as [
    Fields,
    Fields,
  ];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !isSame({ [key]: before[key] }, { [key]: after[key] }))
    .map((key) =>
      drawnAnew(page, () => {
        const root = rootGraph(page);
        root.extra ??= {};
        if (key in after) root.extra[key] = structuredClone(after[key]);
        else delete root.extra[key];
      }),
    );
}

/** The links, too, which takes long where there are many. */
function drawnAnew(page: Page, change: Change): Change {
  return () => {
    change();
    rootGraph(page).setDirtyCanvas(true, true);
  };
}

function changesOfNode(page: Page, node: LiveNode, from: UiNode, to: UiNode): Change[] | undefined {
  const [before, after] = [from, to] as unknown as [Fields, Fields];
  const changes: Change[] = [];
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (isSame({ [key]: before[key] }, { [key]: after[key] })) continue;
    const change = changesOfField(page, node, key, before[key], after[key]);
    if (!change) return undefined;
    changes.push(...change);
  }
  return changes;
}

function changesOfField(
  page: Page,
  node: LiveNode,
  key: string,
  from: unknown,
  to: unknown,
): Change[] | undefined {
  switch (key) {
    case "title":
      return to === undefined ? undefined : [() => Object.assign(node, { [key]: to })];
    case "mode":
    case "pos":
      return to === undefined ? undefined : [drawnAnew(page, () => Object.assign(node, { [key]: to }))];
    case "color":
    case "bgcolor":
      return [() => Object.assign(node, { [key]: to })];
    case "widgets_values": {
      if (!Array.isArray(from) || !Array.isArray(to) || from.length !== to.length) return undefined;
      const widgets = savedWidgets(node);
      const changed = to.flatMap((value, index) => (isSame(from[index], value) ? [] : [{ value, index }]));
      if (changed.some(({ index }) => !widgets[index])) return undefined;
      return changed.map(({ value, index }) => () => {
        const widget = widgets[index];
        if (widget) setWidget(page, node, widgetName(node, widget, index), value as Json);
      });
    }
    case "widgets_values_named":
      // Newer pages write the same values by name, too.
      return [];
    default:
      return undefined;
  }
}
