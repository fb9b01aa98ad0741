/** Names as people write them: "DPM++ 2M", "Euler a" and "UniPC" are dpmpp_2m, euler_ancestral and uni_pc. */

import type { GraphWidget, Json } from "../../graph/graph";

const schedulersInNames =
  /(.+?)(karras|exponential|sgmuniform|ddimuniform|simple|normal|beta|linearquadratic|kloptimal)$/;

/** What names of one thing have in common, however they are written. */
export function spelled(name: string): string {
  return name
    .toLowerCase()
    .replace(/^k[_ ](?=euler|heun|lms|dpm)/, "")
    .replace(/(?<![\p{L}\p{N}])a(?![\p{L}\p{N}])/gu, "ancestral")
    .replaceAll("+", "p")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

export function spelledLike<Name>(names: readonly Name[], name: string): Name | undefined {
  const found = names.filter((each) => spelled(String(each)) === spelled(name));
  return found.length === 1 ? found[0] : undefined;
}

/** A sampler's name with that of a scheduler behind it, such as "dpm++ 2m karras": a value for each of two widgets. */
export function samplerAndScheduler(
  samplers: readonly unknown[],
  written: Json,
  schedulers?: readonly unknown[],
): { sampler: string; scheduler: string } | undefined {
  const [, name = "", behind = ""] = schedulersInNames.exec(spelled(String(written))) ?? [];
  const sampler = spelledLike(samplers, name);
  const scheduler = schedulers ? spelledLike(schedulers, behind) : behind;
  return sampler === undefined || scheduler === undefined
    ? undefined
    : { sampler: String(sampler), scheduler: String(scheduler) };
}

/** The same for the widgets of a node. */
export function samplerPair(
  widgets: readonly GraphWidget[],
  { name, choices = [] }: GraphWidget,
  written: Json,
) {
  const scheduler = widgets.find((each) => each.name === "scheduler" && each.name !== name);
  return scheduler?.choices && spelledLike(choices, String(written)) === undefined
    ? samplerAndScheduler(choices, written, scheduler.choices)
    : undefined;
}
