/** The points that a person has led links over: kept where the link is still there. */

import { type JsonObject, linkObject, type UiGraph, type UiLink, type UiWorkflow } from "./uiWorkflow";

interface Reroute {
  id: number;
  linkIds?: (number | string)[];
  [field: string]: unknown;
}

interface WithReroutes {
  reroutes?: Reroute[];
  /** The last point before the target, by link; inside subgraphs links tell it themselves. */
  linkExtensions?: { id: number | string; parentId: number }[];
}

/** `fresh` with those of `before`, for links between the same slots. */
export function withReroutes<Workflow extends UiWorkflow & JsonObject>(
  fresh: Workflow,
  before: UiWorkflow & JsonObject,
): Workflow {
  const { reroutes = [], linkExtensions = [] } = Object(before.extra) as WithReroutes;
  const renamed = sameLinks(before, fresh);
  const kept = keptReroutes(reroutes, renamed);
  const extensions = linkExtensions.flatMap(({ id, parentId }) => {
    const link = renamed.get(String(id));
    return link === undefined ? [] : [{ id: link, parentId }];
  });
  const definitions = new Map(before.definitions?.subgraphs?.map((each) => [each.id, each]));
  const subgraphs = fresh.definitions?.subgraphs?.map((inner) => {
    const was = definitions.get(inner.id);
    return was ? { ...inner, ...reroutesInside(inner, was) } : inner;
  });
  return {
    ...fresh,
    ...(kept.length > 0 && {
      extra: { ...Object(fresh.extra), reroutes: kept, linkExtensions: extensions },
    }),
    ...(subgraphs && { definitions: { ...fresh.definitions, subgraphs } }),
  };
}

function reroutesInside(fresh: UiGraph, before: UiGraph & WithReroutes): Partial<UiGraph> & WithReroutes {
  const renamed = sameLinks(before, fresh);
  const kept = keptReroutes(before.reroutes ?? [], renamed);
  if (kept.length === 0) return {};
  const parents = new Map(
    before.links.map((link) => {
      const { id, parentId } = linkObject(link) as { id: number | string; parentId?: number };
      return [renamed.get(String(id)), parentId];
    }),
  );
  const links = fresh.links.map((link) => {
    const parentId = parents.get(linkObject(link).id);
    return parentId === undefined ? link : { ...linkObject(link), parentId };
  });
  return { links: links as UiLink[], reroutes: kept };
}

function keptReroutes(
  reroutes: readonly Reroute[],
  renamed: ReadonlyMap<string, number | string>,
): Reroute[] {
  return reroutes.flatMap(({ floating: _, ...reroute }) => {
    const linkIds = (reroute.linkIds ?? []).flatMap((id) => renamed.get(String(id)) ?? []);
    return linkIds.length === 0 ? [] : [{ ...reroute, id: reroute.id, linkIds }];
  });
}

/** By its id before: the id of the link between the same slots. */
function sameLinks(before: UiGraph, fresh: UiGraph): Map<string, number | string> {
  const place = (link: UiLink) => {
    const { origin_id, origin_slot, target_id, target_slot } = linkObject(link);
    return `${origin_id} ${origin_slot} ${target_id} ${target_slot}`;
  };
  const ids = new Map(fresh.links.map((link) => [place(link), linkObject(link).id]));
  return new Map(
    before.links.flatMap((link) => {
      const id = ids.get(place(link));
      return id === undefined ? [] : [[String(linkObject(link).id), id] as const];
    }),
  );
}
