/** Node packages that the person has not yet let the assistant run: their code runs with their nodes, whatever these are called. */

import type { Comfy } from "../../comfy/bridge";
import { type PromptNodes, promptTitle } from "../../graph/prompt";
import { few } from "../../shared/few";
import { seen, seenId } from "../../shared/quoted";
import { trustedPackagesReply, trustedPackagesRoute } from "../../shared/trustedPackages";
import type { Ask } from "../missing/ask";
import type { RiskyNode } from "./riskyNodes";

/** Of one package, in a question. */
const mostNodes = 6;

/** Those that are trusted for good. None where the server cannot be asked: then the person is. */
export async function trustedPackages(ask: Ask | undefined): Promise<ReadonlySet<string>> {
  const answer = await ask?.("GET", trustedPackagesRoute);
  const parsed = trustedPackagesReply.safeParse(answer?.ok ? answer.value : undefined);
  return new Set(parsed.data?.packages);
}

export async function trustPackages(ask: Ask | undefined, packages: readonly string[]): Promise<void> {
  await ask?.("PUT", trustedPackagesRoute, { packages });
}

/** Each node once, of those of a package that is not trusted. */
export function nodesOfNewPackages(
  comfy: Comfy,
  prompts: readonly PromptNodes[],
  trusted: ReadonlySet<string>,
): RiskyNode[] {
  const found = new Map<string, RiskyNode>();
  for (const nodes of prompts)
    for (const [node, { class_type: type }] of Object.entries(nodes)) {
      const origin = comfy.nodeDefinition(type)?.origin;
      if (origin === undefined || trusted.has(origin)) continue;
      found.set(node, { node, title: promptTitle(nodes, node), type, origin, risk: "is of a new package" });
    }
  return [...found.values()];
}

/** By package, its nodes. */
export function newPackagesOf(risky: readonly RiskyNode[]): Map<string, RiskyNode[]> {
  const packages = new Map<string, RiskyNode[]>();
  for (const each of risky)
    if (each.risk === "is of a new package" && each.origin !== undefined)
      packages.set(each.origin, [...(packages.get(each.origin) ?? []), each]);
  return packages;
}

/** "Confetti: Glitter (5), Ribbon (7)." */
export function packageWords(origin: string, nodes: readonly RiskyNode[]): string {
  const named = nodes.map(({ type, node }) => `${seen(type)} (${seenId(node)})`);
  return `${packageName(origin)}: ${few(named, mostNodes)}.`;
}

/** ComfyUI does not say of each type where it is from. */
export function packageName(origin: string): string {
  return seen(origin) || "an unknown package";
}
