/** The workflow as a whole, as ComfyUI would save it, with the names that its widgets have on the page. */

import type { NamedWidget } from "../../../graph/compact/nodeValues";
import type { WorkflowSource } from "../../../graph/compact/read";
import type { UiWorkflow } from "../../../graph/uiWorkflow";
import type { LiveNode, LiveWidget, Page, SerialisedGraph } from "../page";
import { rootGraph } from "../page";
import { followsIn } from "../reading/follows";
import { withModes } from "../reading/modes";
import { savedWidgets } from "../reading/nodeShapes";
import { heldValue, isNoneOf } from "../reading/values";
import { isDecor, isShown, widgetName } from "../reading/widgets";

/** `saved` is the workflow as it was just read. */
export function readSavedWorkflow(page: Page, saved: SerialisedGraph): WorkflowSource {
  const root = rootGraph(page);
  const workflow = withModes(saved as UiWorkflow, root);
  const nodes = new Map(root.nodes.map((node) => [`:${node.id}`, node]));
  for (const [scope, subgraph] of root.subgraphs ?? [])
    for (const node of subgraph.nodes) nodes.set(`${scope}:${node.id}`, node);
  const following = new Map(
    [[undefined, root] as const, ...(root.subgraphs ?? [])].map(([scope, graph]) => [
      scope,
      followsIn(graph),
    ]),
  );
  return {
    workflow,
    follows(scope, id) {
      const node = nodes.get(`${scope ?? ""}:${id}`);
      return (node && following.get(scope)?.(node)) ?? [];
    },
    widgets(scope, id) {
      const node = nodes.get(`${scope ?? ""}:${id}`);
      if (!node || !isInstalled(page, node)) return undefined;
      return savedWidgets(node).map((widget, index): NamedWidget => {
        const isMissing = isMissingChoice(node, widget);
        return {
          name: widgetName(node, widget, index),
          value: heldValue(widget),
          ...(isDecor(node, widget) && { isDecor: true }),
          ...(isMissing && { isMissing }),
          ...(isShown(node, widget) && { isShown: true }),
        };
      });
    },
  };
}

function isInstalled(page: Page, node: LiveNode): boolean {
  return (node.isSubgraphNode?.() ?? false) || Object.hasOwn(page.liteGraph.registered_node_types, node.type);
}

function isMissingChoice(node: LiveNode, widget: LiveWidget): boolean {
  if (widget.type !== "combo" && widget.type !== "asset") return false;
  const values = widget.options?.values;
  try {
    return isNoneOf(typeof values === "function" ? values(widget, node) : values, widget.value);
  } catch {
    return false;
  }
}
