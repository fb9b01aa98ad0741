/** A saved workflow put beside what another one holds. */

import type { Json } from "./graph";
import { extraBeside } from "./mergeExtra";
import { type JsonObject, linkObject, pair, type UiNode, type UiWorkflow } from "./uiWorkflow";

const gap = 150;

/**
 * Both in one, `added` to the right of `base` under ids that are free. Subgraphs of `added` become definitions of their
 * own.
 */
export function beside(
  base: UiWorkflow & JsonObject,
  added: UiWorkflow & JsonObject,
  newUuid: () => string,
): JsonObject {
  const offset = lastNode(base);
  const linkOffset = Math.max(0, ...base.links.map((link) => Number(linkObject(link).id)));
  const uuids = new Map((added.definitions?.subgraphs ?? []).map(({ id }) => [id, newUuid()]));
  const { extra, typeOf } = extraBeside(base, added, linkOffset);
  const [dx, dy] = shift(base.nodes, added.nodes);
  const moved = (node: UiNode): UiNode => {
    const [x, y] = pair(node.pos, [0, 0]);
    return {
      ...node,
      id: Number(node.id) + offset,
      type: uuids.get(node.type) ?? typeOf(node.type),
      pos: [x + dx, y + dy],
      inputs: (node.inputs ?? []).map((input) => ({ ...input, link: shifted(input.link, linkOffset) })),
      outputs: (node.outputs ?? []).map((output) => ({
        ...output,
        links: (output.links ?? []).map((link) => Number(link) + linkOffset),
      })),
    };
  };
  const nodes = added.nodes.map(moved);
  const links = added.links
    .map(linkObject)
    .map((link) => [
      Number(link.id) + linkOffset,
      Number(link.origin_id) + offset,
      link.origin_slot,
      Number(link.target_id) + offset,
      link.target_slot,
      link.type ?? "*",
    ]);
  const groups = (added.groups ?? []).map((group) => {
    const [x = 0, y = 0, width = 0, height = 0] = Array.from(group.bounding);
    return { ...group, bounding: [x + dx, y + dy, width, height] };
  });
  const definitions = (added.definitions?.subgraphs ?? []).map((definition) => ({
    ...definition,
    id: uuids.get(definition.id) ?? definition.id,
    nodes: definition.nodes.map((node) => ({ ...node, type: uuids.get(node.type) ?? typeOf(node.type) })),
  }));
  const { definitions: _, ...saved } = base;
  const all = [...(base.definitions?.subgraphs ?? []), ...definitions];
  return {
    ...(saved as JsonObject),
    last_node_id: Math.max(offset, ...nodes.map(({ id }) => Number(id))),
    last_link_id: linkOffset + Math.max(0, ...added.links.map((link) => Number(linkObject(link).id))),
    nodes: [...base.nodes, ...nodes] as unknown as Json,
    links: [...base.links, ...links] as unknown as Json,
    groups: [...(base.groups ?? []), ...groups] as unknown as Json,
    ...(Object.keys(extra).length > 0 && { extra }),
    ...(all.length > 0 && { definitions: { subgraphs: all as unknown as Json } }),
  };
}

function shifted(link: number | string | null | undefined, offset: number): number | null {
  return link === null || link === undefined ? null : Number(link) + offset;
}

/** Inner nodes count, too: one frontend gives new numbers to those that come twice. */
function lastNode({ nodes, definitions }: UiWorkflow): number {
  const inner = (definitions?.subgraphs ?? []).flatMap((definition) => definition.nodes);
  return Math.max(0, ...[...nodes, ...inner].map(({ id }) => Number(id)));
}

function shift(base: readonly UiNode[], added: readonly UiNode[]): [number, number] {
  if (base.length === 0 || added.length === 0) return [0, 0];
  const right = Math.max(...base.map(({ pos, size }) => pair(pos, [0, 0])[0] + pair(size, [200, 100])[0]));
  const top = Math.min(...base.map(({ pos }) => pair(pos, [0, 0])[1]));
  const left = Math.min(...added.map(({ pos }) => pair(pos, [0, 0])[0]));
  const height = Math.min(...added.map(({ pos }) => pair(pos, [0, 0])[1]));
  return [right + gap - left, top - height];
}
