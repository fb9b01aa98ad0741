/** What a person is asked before a run, and what that answer is bound to. */

import type { Comfy } from "../../comfy/bridge";
import { type PromptNodes, withChanges } from "../../graph/prompt";
import { amountOf } from "../../shared/amounts";
import { few } from "../../shared/few";
import { seen, wordOrQuoted } from "../../shared/quoted";
import { sentences } from "../../shared/sentences";
import type { ApprovalRequest } from "../../shared/toolCalls";
import type { ToolContext } from "../tool";
import { type Axis, axesOf } from "./axes";
import { identityOf, sameRisks } from "./bound";
import { newPackagesOf, nodesOfNewPackages, packageName, packageWords, trustPackages } from "./newPackages";
import type { PlannedRun } from "./planRuns";
import { type RiskyNode, riskWords, riskyNodes } from "./riskyNodes";
import { beginning } from "./valuesWords";

const mostUnasked = 4;
/** Of one widget. */
const mostValues = 12;
const mostPackages = 4;

/** The prompts that would be sent, and the nodes in them that a person is asked about. */
export interface Runs {
  prompts: readonly PromptNodes[];
  risky: readonly RiskyNode[];
}

export function runsOf(
  comfy: Comfy,
  nodes: PromptNodes,
  plan: readonly PlannedRun[],
  /** The packages of which the person has said that their nodes may run. */
  trusted: ReadonlySet<string>,
): Runs {
  const prompts = plan.map(({ changes }) => withChanges(nodes, changes));
  const risky = [...riskyNodes(comfy, prompts), ...nodesOfNewPackages(comfy, prompts, trusted)];
  return { prompts, risky };
}

/** What an answer holds for. */
export function askedOf(comfy: Comfy, { prompts, risky }: Runs): string {
  return identityOf(comfy, prompts, risky);
}

function axisWords({ name, values }: Axis, hasRandomSeeds: boolean): string {
  if (name === "seed" && hasRandomSeeds) return amountOf(values.length, "random seed");
  return `${seen(name)} ${few(values.map(valueWords), mostValues)}`;
}

function valueWords(value: unknown): string {
  return wordOrQuoted(beginning(String(value), 30));
}

/** What the runs differ in, and what they have in common that the graph does not hold. */
function planWords(plan: readonly PlannedRun[], hasRandomSeeds: boolean): string | undefined {
  const { varied, same } = axesOf(plan);
  const [own, common] = [varied, same].map((axes) => axes.map((axis) => axisWords(axis, hasRandomSeeds)));
  const sizes = varied.length > 1 ? `${varied.map(({ values }) => values.length).join(" × ")} runs: ` : "";
  const words = [own?.join(" × "), common?.join(", ")].filter(Boolean).join(" with ");
  return words && `${sizes}${words}.`;
}

export function questionOf(
  comfy: Comfy,
  { prompts, risky }: Runs,
  plan: readonly PlannedRun[],
  hasRandomSeeds: boolean,
  context: ToolContext,
): ApprovalRequest {
  const count = plan.length;
  const packages = newPackagesOf(risky);
  const others = risky.filter(({ risk }) => risk !== "is of a new package");
  const sameOf = (some: readonly RiskyNode[]) => same(context, sameRisks(comfy, prompts, some));
  const detail = sentences(
    planWords(plan, hasRandomSeeds),
    ...others.map(riskWords),
    ...[...packages].map(([origin, each]) => packageWords(origin, each)),
  );
  return {
    title: titleOf(count, [...packages.keys()].map(packageName), others.length > 0),
    ...(detail && { detail }),
    ...((risky.length > 0 || count > mostUnasked) && { always: true }),
    ...(risky.length > 0 && count <= mostUnasked && { same: sameOf(risky) }),
    ...(packages.size > 0 && { allow: "Once" }),
    ...(packages.size > 0 &&
      !packages.has("") && {
        forGood: {
          label: "Always",
          title: "The assistant may run nodes of these packages from now on; Settings take it back.",
          keep: () => trustPackages(context.ask, [...packages.keys()]),
          ...(others.length > 0 && count <= mostUnasked && { same: sameOf(others) }),
        },
      }),
  };
}

/** Of a package its code is what matters; where more does, the run is what is asked about. */
function titleOf(count: number, packages: readonly string[], hasOthers: boolean): string {
  const names = few(packages, mostPackages);
  if (packages.length > 0 && !hasOthers && count === 1) return `Let the assistant run nodes of ${names}?`;
  const run = count === 1 ? "Run the workflow" : `Run the workflow ${count} times`;
  return packages.length > 0 ? `${run}, with nodes of ${names}, which are new to the assistant?` : `${run}?`;
}

function same({ thread = "" }: ToolContext, risks: string | undefined): string | undefined {
  return risks === undefined ? undefined : `${thread} ${risks}`;
}
