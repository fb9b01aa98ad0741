/** What was changed after a model had read text from outside: it may be that text's will. */

import type { Comfy } from "../../comfy/bridge";
import type { ToolContext } from "../tool";
import type { Outcome } from "./outcome";

/** What a run does not depend on. */
const looks: ReadonlySet<string> = new Set(["title", "color", "position"]);

type Reader = Pick<ToolContext, "outside" | "thread">;

/** By thread: types of nodes that were added, or that do something else since, by more than other numbers. */
const influenced = new WeakMap<Comfy["whole"], Map<string, Set<string>>>();

/** All nodes of a type count, since they get other ids when they are wrapped. */
export function rememberInfluence(
  comfy: Comfy,
  { added, changed }: Pick<Outcome, "added" | "changed">,
  { outside, thread = "" }: Reader,
): void {
  if (!outside?.length) return;
  const threads = influenced.get(comfy.whole) ?? new Map<string, Set<string>>();
  influenced.set(comfy.whole, threads);
  const types = threads.get(thread) ?? new Set();
  threads.set(thread, types);
  const otherwise = changed.filter(({ differences }) =>
    differences.some((each) =>
      each.of === "value" ? typeof each.after?.value !== "number" : !looks.has(each.of),
    ),
  );
  for (const { type } of [...added, ...otherwise]) if (type) types.add(type.id);
}

export function isInfluenced(comfy: Comfy, type: string, { thread = "" }: Reader): boolean {
  return influenced.get(comfy.whole)?.get(thread)?.has(type) ?? false;
}
