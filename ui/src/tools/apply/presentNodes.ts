/** What a workflow that is written anew takes over from the one that is open: places, looks, what packs save, and what was cut. */

import type { KeptNode, KeptWidget } from "../../graph/compact/boxes";
import type { WorkflowSource } from "../../graph/compact/read";
import type { CompactNode, CompactValue, CompactWorkflow } from "../../graph/compact/workflow";
import type { Json } from "../../graph/graph";
import type { ShapeOf } from "../../graph/nodeShape";
import { type JsonObject, pair, type UiNode } from "../../graph/uiWorkflow";
import { isObject } from "../../shared/json";
import { ToolError } from "../tool";

/** What is made anew from the lines; all else that a page or a pack saves of a node stays. */
const written: ReadonlySet<string> = new Set([
  ...["id", "type", "title", "mode", "order", "pos", "size", "inputs", "outputs", "properties"],
  ...["widgets_values", "widgets_values_named"],
]);

export interface Present {
  /** Whether these lines are the open workflow written anew: most nodes that bear an id of it have its type as well. */
  isBasisOf(workflow: CompactWorkflow): boolean;
  kept(scope: string | undefined, node: CompactNode): KeptNode | undefined;
  /** ComfyUI's id of the subgraph that has this key and name now. */
  uuid(key: string, name: string): string | undefined;
  /** The workflow with every value whole. Throws for a value that was cut and is not there any more. */
  completed(workflow: CompactWorkflow): CompactWorkflow;
}

export function presentNodes(
  { workflow: saved, widgets }: WorkflowSource,
  compact: CompactWorkflow,
  shapeOf: ShapeOf,
): Present {
  const definitions = new Map((saved.definitions?.subgraphs ?? []).map((each) => [each.id, each]));
  const subgraphOf = (key: string | undefined) => compact.subgraphs.find((each) => each.key === key);
  const typeOf = (node: CompactNode) => subgraphOf(node.type)?.id ?? node.type;

  function withItsId(scope: string | undefined, node: CompactNode): UiNode | undefined {
    const graph = scope === undefined ? saved : definitions.get(subgraphOf(scope)?.id ?? "");
    return graph?.nodes.find(({ id }) => String(id) === node.id);
  }

  function savedNode(scope: string | undefined, node: CompactNode): UiNode | undefined {
    const found = withItsId(scope, node);
    return found?.type === typeOf(node) ? found : undefined;
  }

  function compactNode(scope: string | undefined, node: CompactNode): CompactNode | undefined {
    const graph = scope === undefined ? compact : subgraphOf(scope);
    return graph?.nodes.find(({ id, type }) => id === node.id && type === node.type);
  }

  function keptWidgets(scope: string | undefined, node: CompactNode): KeptWidget[] | undefined {
    const fed = new Set(compactNode(scope, node)?.unwritten?.fed.map(({ name }) => name));
    return widgets(scope === undefined ? undefined : subgraphOf(scope)?.id, node.id)?.map((widget) => ({
      ...widget,
      isFed: fed.has(widget.name),
    }));
  }

  /** Values may bring slots forth. */
  function hasSameValues(scope: string | undefined, node: CompactNode): boolean {
    return JSON.stringify(compactNode(scope, node)?.values) === JSON.stringify(node.values);
  }

  function whole(scope: string | undefined, node: CompactNode, value: CompactValue): CompactValue {
    if (value.cut === undefined) return value;
    const found =
      compactNode(scope, node)?.values.find(({ name }) => name === value.name)?.value ??
      shapeOf(node.type, (name) => node.values.find((each) => each.name === name)?.value)?.widgets.find(
        ({ name }) => name === value.name,
      )?.value;
    if (found !== undefined && isBeginning(value, found)) return { name: value.name, value: found };
    throw new ToolError(
      `The value ${value.name} of node ${node.id} is only its beginning: ${value.cut} characters were cut for reading.`,
      'Write it whole, or read the workflow with values "full" first.',
    );
  }

  return {
    isBasisOf({ nodes, subgraphs }) {
      const graphs = [{ key: undefined, nodes }, ...subgraphs];
      const all = graphs.flatMap((graph) => graph.nodes.map((node) => [graph.key, node] as const));
      const ofItsId = all.filter(([scope, node]) => withItsId(scope, node));
      const same = ofItsId.filter(([scope, node]) => savedNode(scope, node));
      return 2 * same.length > ofItsId.length;
    },
    kept(scope, node) {
      const found = savedNode(scope, node);
      if (!found) return undefined;
      const [x, y] = pair(found.pos, [0, 0]);
      const [width, height] = pair(found.size, [200, 100]);
      const { proxyWidgets: _, previewExposures: __, ...properties } = found.properties ?? {};
      const isKnown = shapeOf(node.type) !== undefined;
      const isInstance = subgraphOf(node.type) !== undefined;
      const own = isInstance ? undefined : keptWidgets(scope, node);
      const isSame = !isInstance && node.type !== "PrimitiveNode" && hasSameValues(scope, node);
      const fields = Object.entries(found).filter(
        ([name]) => !written.has(name) || (isSame && name === "widgets_values_named"),
      );
      return {
        ...(isSame && Boolean(found.widgets_values) && { savedValues: found.widgets_values as Json }),
        ...((!isKnown || isSame) && {
          slots: { inputs: found.inputs ?? [], outputs: found.outputs ?? [] },
        }),
        ...(own && { widgets: own }),
        savesByName: isObject(found.widgets_values),
        position: { x, y },
        size: { width, height },
        fields: { ...(Object.fromEntries(fields) as JsonObject), properties: properties as JsonObject },
      };
    },
    uuid: (key, name) => compact.subgraphs.find((each) => each.key === key && each.name === name)?.id,
    completed(workflow) {
      const nodes = (scope: string | undefined, all: readonly CompactNode[]) =>
        all.map((node) => ({ ...node, values: node.values.map((value) => whole(scope, node, value)) }));
      return {
        ...workflow,
        nodes: nodes(undefined, workflow.nodes),
        subgraphs: workflow.subgraphs.map((each) => ({ ...each, nodes: nodes(each.key, each.nodes) })),
      };
    },
  };
}

function isBeginning({ value, cut }: CompactValue, whole: Json): boolean {
  const text = typeof whole === "string" ? whole : JSON.stringify(whole);
  return typeof value === "string" && text.startsWith(value) && text.length === value.length + (cut ?? 0);
}
