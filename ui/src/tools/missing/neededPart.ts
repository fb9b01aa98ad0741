/** Of a workflow what its needs are told by: the server reads no more than so many values at once. */

import { groupNodes, groupPrefix, ownTypes } from "../../graph/ownTypes";

type Saved = Record<string, unknown>;

/** The server names the values by the widgets of the inputs, and reads the addresses in notes. Group nodes are subgraphs to it. */
export function neededPart(workflow: object): object {
  const { nodes, definitions } = workflow as Saved;
  const { subgraphs } = Object(definitions);
  const typeOf = ownTypes(workflow);
  const graphs: Saved[] = [{ nodes }, ...listOf(subgraphs)];
  const byType = Map.groupBy(
    graphs.flatMap((graph) => listOf(graph.nodes)),
    typeOf,
  );
  const groups = [...groupNodes(workflow)].map(([type, inner]) => {
    const standIns = byType.get(type) ?? [];
    const held = new Set(standIns.flatMap(({ widgets_values }) => textsOf(widgets_values)));
    const isChosen = ({ widgets_values }: Saved) => textsOf(widgets_values).every((each) => held.has(each));
    return {
      id: type,
      name: type.slice(groupPrefix.length),
      // What a group node was made with is nothing but what it begins with. Its nodes have no ids.
      nodes: listOf(inner).map((node) => ({
        ...node,
        ...(held.size > 0 &&
          !isChosen(node) && {
            widgets_values: [],
            properties: { ...Object(node.properties), models: [] },
          }),
        id: undefined,
      })),
    };
  });
  return {
    nodes: nodesOf(nodes, typeOf),
    definitions: {
      subgraphs: [...listOf(subgraphs), ...groups].map(({ id, name, nodes: inner }) => ({
        id,
        name,
        nodes: nodesOf(inner, typeOf),
      })),
    },
  };
}

function nodesOf(nodes: unknown, typeOf: ReturnType<typeof ownTypes>): object[] {
  return listOf(nodes).map((node) => {
    const { id, mode, properties, widgets_values, inputs } = node;
    const { models, cnr_id, aux_id, ver } = Object(properties);
    return {
      ...{ id, type: typeOf(node), mode, properties: { models, cnr_id, aux_id, ver } },
      ...(mayNameFiles(widgets_values) && {
        widgets_values,
        inputs: listOf(inputs).flatMap(({ widget }) => (widget ? [{ widget }] : [])),
      }),
    };
  });
}

/** Those that may name a file. */
function textsOf(values: unknown): string[] {
  const each: unknown[] = Object.values(Object(values));
  return each.filter((value) => typeof value === "string" && mayNameFiles(value)) as string[];
}

function mayNameFiles(value: unknown): boolean {
  if (typeof value === "string") return value.includes(".");
  return typeof value === "object" && value !== null && Object.values(value).some(mayNameFiles);
}

function listOf(value: unknown): Saved[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}
