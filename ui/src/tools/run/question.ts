/** What a person is asked before a run, and what that answer is bound to. */

import type { Comfy } from "../../comfy/bridge";
import { type PromptNodes, withChanges } from "../../graph/prompt";
import { amountOf } from "../../shared/amounts";
import { few } from "../../shared/few";
import { seen, wordOrQuoted } from "../../shared/quoted";
import { sentences } from "../../shared/sentences";
import { laterPart } from "../laterPart";
import type { ToolContext } from "../tool";
import { type Axis, axesOf } from "./axes";
import type * as Bound from "./bound";
import { influencedNodes, influencedValues } from "./influencedNodes";
import type * as LinkedFiles from "./linkedFiles";
import type { PlannedRun } from "./planRuns";
import type * as RiskyNodes from "./riskyNodes";
import { beginning } from "./valuesWords";

const mostUnasked = 4;
/** Of one widget. */
const mostValues = 12;

export const laterRisks = async (): Promise<Risks> => ({
  ...(await laterPart(import("./riskyNodes"))),
  ...(await laterPart(import("./bound"))),
  ...(await laterPart(import("./linkedFiles"))),
});
export type Risks = typeof RiskyNodes & typeof Bound & typeof LinkedFiles;

/** Of all runs, as a person is asked about them. */
export async function askedOf(
  comfy: Comfy,
  nodes: PromptNodes,
  plan: readonly PlannedRun[],
  context: ToolContext,
  { identityOf, linkedFiles }: Risks,
): Promise<string> {
  const prompts = plan.map(({ changes }) => withChanges(nodes, changes));
  const identity = identityOf(comfy, prompts, await linkedFiles(comfy, prompts));
  return JSON.stringify([identity, influencedValues(comfy, nodes, plan, context)]);
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

export async function questionOf(
  comfy: Comfy,
  nodes: PromptNodes,
  plan: readonly PlannedRun[],
  hasRandomSeeds: boolean,
  context: ToolContext,
  { riskyNodes, riskWords, sameRisks, linkedFiles }: Risks,
) {
  const count = plan.length;
  const prompts = plan.map(({ changes }) => withChanges(nodes, changes));
  const linked = await linkedFiles(comfy, prompts);
  const risky = [...riskyNodes(comfy, prompts, linked), ...influencedNodes(comfy, nodes, plan, context)];
  const detail = sentences(planWords(plan, hasRandomSeeds), ...risky.map(riskWords));
  return {
    title: count === 1 ? "Run the workflow?" : `Run the workflow ${count} times?`,
    ...(detail && { detail }),
    ...((risky.length > 0 || count > mostUnasked) && { always: true }),
    ...(risky.length > 0 &&
      count <= mostUnasked && { same: same(context, sameRisks(comfy, prompts, risky)) }),
  };
}

function same({ thread = "" }: ToolContext, risks: string | undefined): string | undefined {
  return risks === undefined ? undefined : `${thread} ${risks}`;
}
