/** What App Mode shows of a workflow, as newer pages keep it in `extra.linearData`: widgets of its inputs, and output nodes. */

import { isObject } from "../shared/json";
import type { WorkflowSource } from "./compact/read";
import type { ShapeOf } from "./nodeShape";
import {
  inputEdgeId,
  type JsonObject,
  linkObject,
  type UiNode,
  type UiSubgraph,
  type UiWorkflow,
} from "./uiWorkflow";

/**
 * As older pages write it, `["3", "seed"]`, where the node may lie inside a subgraph that shows the widget; newer ones
 * write `["<id of the graph>:3:seed", "seed"]`. More may follow.
 */
type InputEntry = readonly [id: string | number, widget: string, ...more: unknown[]];

interface AppData {
  inputs: readonly InputEntry[];
  outputs: readonly (string | number)[];
}

interface WidgetOfApp {
  graph?: string;
  node: string;
  widget: string;
}

/** As `3.seed` and `9 SaveImage`: what of it the page finds in the workflow. */
export function shownByApp({ workflow, widgets }: WorkflowSource): string[] {
  const data = appData(workflow);
  if (!data) return [];
  const hasWidget = (node: string, widget: string) =>
    widgets(undefined, node)?.some(({ name }) => name === widget) ?? false;
  const inputs = data.inputs.flatMap((entry) => {
    const { graph, node, widget } = widgetOf(entry);
    if (graph !== undefined && graph !== idOf(workflow)) return [];
    if (hasWidget(node, widget)) return `${node}.${widget}`;
    const [only, ...others] = graph === undefined ? promotedAs(workflow, node, widget) : [];
    return only !== undefined && others.length === 0 ? only : [];
  });
  const outputs = data.outputs.flatMap((id) => {
    const node = allNodes(workflow).find((each) => String(each.id) === String(id));
    return node ? `${id} ${node.type}` : [];
  });
  return [...inputs, ...outputs];
}

/** The workflow under another id, by which the entries of newer pages go. */
export function withId(workflow: JsonObject, id: string | undefined): JsonObject {
  if (id === undefined || id === workflow.id) return workflow;
  const data = appData(workflow);
  if (!data) return { ...workflow, id };
  const inputs = data.inputs.map(([name, ...rest]): InputEntry => {
    const [graph, ...others] = String(name).split(":");
    return [others.length === 2 && graph === workflow.id ? [id, ...others].join(":") : name, ...rest];
  });
  return withData({ ...workflow, id }, { inputs });
}

/** Without the entries of nodes and widgets that are not in it. */
export function withoutGone<Of extends JsonObject & UiWorkflow>(workflow: Of, shapeOf: ShapeOf): Of {
  const data = appData(workflow);
  if (!data) return workflow;
  const nodes = allNodes(workflow);
  const named = (id: string | number) => nodes.filter((node) => String(node.id) === String(id));
  const definitions = new Map(workflow.definitions?.subgraphs?.map((each) => [each.id, each]));
  return withData(workflow, {
    inputs: data.inputs.filter((entry) => {
      const { node, widget } = widgetOf(entry);
      return named(node).some((each) => mayHave(each, widget, definitions, shapeOf));
    }),
    outputs: data.outputs.filter((id) => named(id).length > 0),
  });
}

/** Whatever a node has whose type is not known, or has its widgets from what it is linked to. */
function mayHave(
  { type, inputs = [] }: UiNode,
  widget: string,
  definitions: ReadonlyMap<string, UiSubgraph>,
  shapeOf: ShapeOf,
): boolean {
  const shown = definitions.get(type)?.inputs ?? [];
  const own = shapeOf(type)?.widgets ?? [];
  const known = [...shown, ...own];
  return known.length === 0 || [...known, ...inputs].some(({ name }) => name === widget);
}

/** The widget of an inner node, as the nodes of its subgraph show it: `10.seed`. */
function promotedAs(workflow: UiWorkflow, node: string, widget: string): string[] {
  return (workflow.definitions?.subgraphs ?? []).flatMap((definition) => {
    const slot = definition.nodes
      .find(({ id }) => String(id) === node)
      ?.inputs?.findIndex((input) => input.widget?.name === widget);
    const link = definition.links
      .map(linkObject)
      .find(
        ({ origin_id, target_id, target_slot }) =>
          String(origin_id) === inputEdgeId && String(target_id) === node && target_slot === slot,
      );
    const port = link && definition.inputs?.[link.origin_slot];
    return workflow.nodes
      .filter(({ type }) => port && type === definition.id)
      .map(({ id }) => `${id}.${port?.name}`);
  });
}

function widgetOf([id, widget]: InputEntry): WidgetOfApp {
  const parts = String(id).split(":");
  const [graph, node, name] = parts.map(decoded);
  if (graph !== undefined && node !== undefined && name !== undefined) return { graph, node, widget: name };
  // A node of the workflow by its place, which begins with the graph's id.
  return { node: parts.at(-1) ?? "", widget };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function appData(workflow: object): AppData | undefined {
  const { extra } = workflow as { extra?: unknown };
  const data = isObject(extra) ? extra.linearData : undefined;
  if (!isObject(data)) return undefined;
  const { inputs, outputs } = data;
  return {
    inputs: (Array.isArray(inputs) ? inputs : []).filter(
      (each): each is InputEntry => Array.isArray(each) && each.length > 1,
    ),
    outputs: Array.isArray(outputs) ? outputs : [],
  };
}

function withData<Of extends JsonObject>(workflow: Of, data: Partial<AppData>): Of {
  const { extra } = workflow as unknown as { extra: JsonObject };
  const linearData = { ...(extra.linearData as JsonObject), ...data } as JsonObject;
  return { ...workflow, extra: { ...extra, linearData } };
}

function allNodes(workflow: UiWorkflow): UiNode[] {
  return [workflow, ...(workflow.definitions?.subgraphs ?? [])].flatMap(({ nodes }) => nodes);
}

function idOf(workflow: object): unknown {
  return (workflow as { id?: unknown }).id;
}
