/** What was changed after a model had read text from outside: it may be that text's will. */

import type { Comfy } from "../../comfy/bridge";
import type { ToolContext } from "../tool";
import type { Outcome } from "./outcome";

/** What a run does not depend on. */
const looks: ReadonlySet<string> = new Set(["title", "color", "position"]);

type Reader = Pick<ToolContext, "outside" | "thread">;

/** Stands for every type: the server does not know what a call did, or it is too much to tell. */
const anyType = "*";

/** By thread: types of nodes that were added, or that do something else since, by more than other numbers. */
const influenced = new WeakMap<Comfy["whole"], Map<string, Set<string>>>();

/** All nodes of a type count, since they get other ids when they are wrapped. */
export function rememberInfluence(
  comfy: Comfy,
  { added, changed }: Pick<Outcome, "added" | "changed">,
  { outside, thread = "" }: Reader,
): void {
  if (!outside?.length) return;
  const otherwise = changed.filter(({ differences }) =>
    differences.some((each) =>
      each.of === "value" ? typeof each.after?.value !== "number" : !looks.has(each.of),
    ),
  );
  learnInfluence(
    comfy,
    [...added, ...otherwise].flatMap(({ type }) => type?.id ?? []),
    thread,
  );
}

/** Another page, or this one before it was loaded anew, has changed nodes of these types. */
export function learnInfluence(comfy: Pick<Comfy, "whole">, types: readonly string[], thread = ""): void {
  const threads = influenced.get(comfy.whole) ?? new Map<string, Set<string>>();
  influenced.set(comfy.whole, threads);
  threads.set(thread, new Set([...(threads.get(thread) ?? []), ...types]));
}

export function influencedTypes(comfy: Comfy, thread = ""): readonly string[] {
  return [...(influenced.get(comfy.whole)?.get(thread) ?? [])];
}

export function isInfluenced(comfy: Comfy, type: string, { thread }: Reader): boolean {
  const types = influencedTypes(comfy, thread);
  return types.includes(type) || types.includes(anyType);
}
