/** What a person is asked before a run, and what that answer is bound to. */

import type { Comfy } from "../../comfy/bridge";
import { type PromptNodes, withChanges } from "../../graph/prompt";
import { seen, wordOrQuoted } from "../../shared/quoted";
import { laterPart } from "../laterPart";
import type { ToolContext } from "../tool";
import { isEmpty } from "../values/arguments";
import type * as Bound from "./bound";
import { influencedNodes, influencedValues } from "./influencedNodes";
import type * as LinkedFiles from "./linkedFiles";
import type { PlannedRun, Variation } from "./planRuns";
import type * as RiskyNodes from "./riskyNodes";
import { beginning } from "./valuesWords";

const mostUnasked = 4;

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

/** What the runs differ in, in the order in which they are combined. */
export interface Axis {
  values: number;
  words: string;
}

export function axesOf(
  {
    vary = [],
    seeds: named,
  }: { vary?: readonly Variation[] | undefined; seeds?: readonly number[] | undefined },
  seeds: readonly number[],
): Axis[] {
  const list = (values: readonly unknown[]) => values.map(valueWords).join(", ");
  return [
    ...vary.map(({ node, widget, values }) => ({
      values: values.length,
      words: `${seen(node)}.${seen(widget)} ${list(values)}`,
    })),
    ...(seeds.length > 0
      ? [
          {
            values: seeds.length,
            words: named && !isEmpty(named) ? `seed ${list(seeds)}` : `${seeds.length} random seeds`,
          },
        ]
      : []),
  ];
}

function valueWords(value: unknown): string {
  return wordOrQuoted(beginning(String(value), 30));
}

export async function questionOf(
  comfy: Comfy,
  nodes: PromptNodes,
  axes: readonly Axis[],
  plan: readonly PlannedRun[],
  context: ToolContext,
  { riskyNodes, riskWords, sameRisks, linkedFiles }: Risks,
) {
  const count = plan.length;
  const prompts = plan.map(({ changes }) => withChanges(nodes, changes));
  const linked = await linkedFiles(comfy, prompts);
  const risky = [...riskyNodes(comfy, prompts, linked), ...influencedNodes(comfy, nodes, plan, context)];
  const sizes = axes.length > 1 ? `${axes.map(({ values }) => values).join(" × ")} runs: ` : "";
  const detail = [
    ...(axes.length > 0 ? [`${sizes}${axes.map(({ words }) => words).join(" × ")}.`] : []),
    ...risky.map(riskWords),
  ].join(" ");
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
