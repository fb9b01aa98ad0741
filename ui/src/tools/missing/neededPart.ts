/** Of a workflow what its needs are told by: the server reads no more than so many values at once. */

type Saved = Record<string, unknown>;

/** The server names the values by the widgets of the inputs, and reads the addresses in notes. */
export function neededPart(workflow: object): object {
  const { nodes, definitions } = workflow as Saved;
  const { subgraphs } = Object(definitions);
  return {
    nodes: nodesOf(nodes),
    definitions: {
      subgraphs: listOf(subgraphs).map(({ id, nodes: inner }) => ({ id, nodes: nodesOf(inner) })),
    },
  };
}

function nodesOf(nodes: unknown): object[] {
  return listOf(nodes).map(({ id, type, mode, properties, widgets_values, inputs }) => {
    const { models, cnr_id, aux_id, ver } = Object(properties);
    return {
      ...{ id, type, mode, properties: { models, cnr_id, aux_id, ver } },
      ...(mayNameFiles(widgets_values) && {
        widgets_values,
        inputs: listOf(inputs).flatMap(({ widget }) => (widget ? [{ widget }] : [])),
      }),
    };
  });
}

function mayNameFiles(value: unknown): boolean {
  if (typeof value === "string") return value.includes(".");
  return typeof value === "object" && value !== null && Object.values(value).some(mayNameFiles);
}

function listOf(value: unknown): Saved[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}
