/** What two saved workflows keep beside their nodes, in one: reroutes of their links, and what old group nodes are. */

import type { Json } from "./graph";
import { type JsonObject, linkObject, type UiWorkflow } from "./uiWorkflow";

type Reroute = JsonObject & { id: number; linkIds?: (number | string)[]; parentId?: number };

interface Extra {
  reroutes?: Reroute[];
  /** The last reroute before the target, by link. */
  linkExtensions?: { id: number | string; parentId: number }[];
  groupNodes?: { [name: string]: Json };
  /** Of a file that a run has saved: links that a pack drew for it, and takes away on loading. */
  links_added_by_ue?: (number | string)[];
}

export interface ExtraBeside {
  extra: JsonObject;
  /** The type of a node that comes to the others: a group node may have to be called otherwise. */
  typeOf(type: string): string;
}

/** All of `base`, and of `added` what its nodes and links need; its links get numbers above `linkOffset`. */
export function extraBeside(
  base: UiWorkflow & JsonObject,
  added: UiWorkflow & JsonObject,
  linkOffset: number,
): ExtraBeside {
  const [there, fresh] = [base, added].map(({ extra }) => Object(extra) as Extra) as [Extra, Extra];
  const { reroutes = [], linkExtensions = [] } = there;
  const offset = Math.max(0, ...reroutes.map(({ id }) => id));
  const parents = [
    ...(fresh.linkExtensions ?? []),
    ...added.links.flatMap((link) => {
      const { id, parentId } = linkObject(link) as { id: number | string; parentId?: number };
      return parentId === undefined ? [] : [{ id, parentId }];
    }),
  ];
  const moved = (fresh.reroutes ?? []).flatMap(({ floating: _, ...reroute }) =>
    (reroute.linkIds ?? []).length === 0
      ? []
      : [
          {
            ...reroute,
            id: reroute.id + offset,
            linkIds: (reroute.linkIds ?? []).map((id) => Number(id) + linkOffset),
            ...(reroute.parentId !== undefined && { parentId: reroute.parentId + offset }),
          },
        ],
  );
  const { groupNodes, names } = groupsBeside(there.groupNodes, fresh.groupNodes);
  return {
    extra: {
      ...(there as JsonObject),
      ...(moved.length > 0 && {
        reroutes: [...reroutes, ...moved] as Json,
        linkExtensions: [
          ...linkExtensions,
          ...parents.map(({ id, parentId }) => ({
            id: Number(id) + linkOffset,
            parentId: parentId + offset,
          })),
        ],
      }),
      ...(Object.keys(groupNodes).length > 0 && { groupNodes }),
      ...(fresh.links_added_by_ue && {
        links_added_by_ue: fresh.links_added_by_ue.map((id) => Number(id) + linkOffset),
      }),
    },
    typeOf: (type) =>
      type.replace(/^(workflow[>/])(.*)$/, (_, kind, name) => `${kind}${names.get(name) ?? name}`),
  };
}

/** Two of one name are both kept, unless they are the same. */
function groupsBeside(there: { [name: string]: Json } = {}, fresh: { [name: string]: Json } = {}) {
  const groupNodes = { ...there };
  const names = new Map<string, string>();
  for (const [name, group] of Object.entries(fresh)) {
    let free = name;
    for (let count = 2; free in groupNodes && !isEqual(groupNodes[free], group); count++)
      free = `${name} ${count}`;
    groupNodes[free] = group;
    names.set(name, free);
  }
  return { groupNodes, names };
}

function isEqual(one: Json | undefined, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
