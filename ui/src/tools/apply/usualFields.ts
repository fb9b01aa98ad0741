import {
  type JsonObject,
  linkObject,
  type UiGraph,
  type UiNode,
  type UiWorkflow,
} from "../../graph/uiWorkflow";

const columnWidth = 320;

/** With what ComfyUI's page expects of a saved workflow and somebody who writes one by hand leaves out. */
export function withUsualFields(workflow: UiWorkflow & JsonObject): UiWorkflow & JsonObject {
  const { definitions, links = [] } = workflow;
  const nodes = withNodes(workflow);
  const usual = {
    last_node_id: highest(nodes.map(({ id }) => id)),
    last_link_id: highest(links.map((link) => linkObject(link).id)),
    version: 0.4,
  };
  return {
    ...usual,
    ...workflow,
    nodes,
    links,
    ...(definitions?.subgraphs && {
      definitions: {
        ...definitions,
        subgraphs: definitions.subgraphs.map((each) => ({ ...each, nodes: withNodes(each) })),
      },
    }),
  } as unknown as UiWorkflow & JsonObject;
}

function withNodes({ nodes }: UiGraph): UiNode[] {
  return nodes.map((node, order) => {
    const usual = {
      pos: [order * columnWidth, 0],
      size: [270, 100],
      flags: {},
      order,
      mode: 0,
      properties: {},
    };
    return { ...usual, ...node };
  });
}

function highest(ids: readonly (number | string)[]): number {
  return Math.max(0, ...ids.map(Number).filter(Number.isFinite));
}
