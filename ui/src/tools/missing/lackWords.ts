/** What a workflow lacks, in words: also said where the panel is closed, so it needs none of it. */

import { amountOf } from "../../shared/amounts";
import type { Report } from "./ask";

/** `2 models, 1 node package and a newer ComfyUI`, those beyond the report too. */
export function lackWords({
  packages,
  found: { models, replaced, more },
}: {
  packages: readonly { isCore?: boolean }[];
  found: { models: readonly unknown[]; replaced: readonly unknown[] } & Pick<Report, "more">;
}): string {
  const others = packages.filter(({ isCore }) => !isCore);
  return listed([
    ...amounts(models.length + (more?.models ?? 0), others.length + (more?.packages ?? 0)),
    ...(others.length < packages.length ? ["a newer ComfyUI"] : []),
    ...(replaced.length > 0 ? [`${amountOf(replaced.length, "node type")} that ComfyUI replaces`] : []),
  ]);
}

/** A sentence on what lacks beyond what is told at once; empty where nothing does. */
export function moreWords({ more }: Pick<Report, "more">): string {
  if (!more) return "";
  return `Beyond these it lacks ${listed(amounts(more.models ?? 0, more.packages ?? 0))}, to be looked for again once these are here.`;
}

function amounts(models: number, packages: number): string[] {
  return [
    ...(models > 0 ? [amountOf(models, "model")] : []),
    ...(packages > 0 ? [amountOf(packages, "node package")] : []),
  ];
}

const listed = (parts: readonly string[]) =>
  [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
