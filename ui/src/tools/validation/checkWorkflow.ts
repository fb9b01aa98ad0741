/** What is wrong with the open workflow, for a model; loaded when it asks. */

import { z } from "zod";
import type { Comfy } from "../../comfy/bridge";
import { failureWords } from "../../comfy/failureWords";
import type { Json } from "../../graph/graph";
import type { PromptNodes } from "../../graph/prompt";
import { amountOf } from "../../shared/amounts";
import { cut } from "../../shared/cut";
import { few } from "../../shared/few";
import { reasonOf } from "../../shared/reasonOf";
import type { Ask } from "../missing/ask";
import { lackOf, memoryNotes, sizesNote } from "../missing/need";
import { smallerRuns } from "../missing/smallerRuns";
import { mostThatFit } from "../read/forms";
import type { Told, ToolContext, ToolResult } from "../tool";
import { installedIn } from "./canvas";
import { familyFindings, headsOf } from "./families";
import { type Findings, findProblems, runningPart } from "./findProblems";
import { type Problem, type ProblemKind, problemsData } from "./problem";

export async function checkWorkflow(comfy: Comfy, { ask, room }: ToolContext): Promise<ToolResult> {
  const { nodes, packFailure } = await comfy.queue.prompt();
  const found = await withoutOwnChoices(await problemsOf(comfy, nodes), ask);
  const installed = installedIn(comfy);
  const families = ask
    ? await familyFindings(runningPart(nodes, installed), installed, headsOf(ask))
    : { problems: [], notChecked: [] };
  const findings = {
    ...found,
    errors: [
      ...(packFailure === undefined ? [] : [failed(packFailure)]),
      ...found.errors,
      ...families.problems,
    ],
    notChecked: families.notChecked,
  };
  const { tooLarge, sizes } = ask ? await memoryFor(ask, comfy, nodes) : { tooLarge: [] };
  const { errors, warnings, idle, loose, bypassed, keepingNothing, inactiveOutputs, notChecked } = findings;
  const failure = errors.length === 0 ? lastFailure(comfy) : [];
  const lists: [string, Json[]][] = [
    ["problems", problemsData(errors)],
    ["inNodesThatLeadToNoOutput", problemsData(warnings)],
    ["leadToNoOutput", idle],
    ["loose", loose],
    ["bypassed", bypassed],
    ["keepingNothing", keepingNothing],
    ["inactiveOutputs", inactiveOutputs],
    ["notChecked", notChecked],
  ];
  const resultOf = (shown: number): ToolResult => ({
    ok: true,
    summary: [summary(findings), ...failure, ...tooLarge].join(" "),
    told: [...(tooLarge.length > 0 ? ["tooLarge"] : []), ...toldBy(findings)],
    data: {
      ...firstOf(lists, shown),
      ...(tooLarge.length > 0 && { tooLarge }),
      ...(sizes !== undefined && { memory: sizes }),
    },
  });
  const all = lists.reduce((sum, [, items]) => sum + items.length, 0);
  return resultOf(mostThatFit(all, (shown) => room.holds(resultOf(shown))));
}

/** What a check finds nothing of may have failed all the same. Whether it was changed since then is not known. */
function lastFailure({ queue }: Comfy): string[] {
  const failure = queue.shownFailure();
  return failure
    ? [`Its last run, as it was then: ${cut(failureWords(failure), longestFailure).replace(/\.$/, "")}.`]
    : [];
}

/** `notChecked` are files that do not tell whether they go with the others. */
type Checked = Findings & { notChecked: string[] };

/** So many of all, those that are listed first before the others. */
function firstOf(lists: readonly [string, Json[]][], shown: number): { [name: string]: Json } {
  const data: { [name: string]: Json } = {};
  const leftOut: { [name: string]: number } = {};
  let free = shown;
  for (const [name, items] of lists) {
    const fitting = items.slice(0, free);
    free -= fitting.length;
    if (fitting.length > 0 || name === "problems") data[name] = fitting;
    if (fitting.length < items.length) leftOut[name] = items.length - fitting.length;
  }
  if (Object.keys(leftOut).length === 0) return data;
  return { ...data, leftOut, hint: "Mend what is told, then check again: the rest is told then." };
}

function failed(packFailure: string): Problem {
  return {
    kind: "failed-pack",
    found: packFailure,
    fix: "Inputs without a wire may be fed by it all the same. Update the package, or connect by wires what it hands on.",
  };
}

async function memoryFor(
  ask: Ask,
  comfy: Comfy,
  nodes: PromptNodes,
): Promise<{ tooLarge: string[]; sizes?: string | undefined }> {
  try {
    const lack = await lackOf(ask, comfy);
    return { tooLarge: memoryNotes(lack, smallerRuns(comfy, nodes)), sizes: sizesNote(lack) };
  } catch (error) {
    const why = reasonOf(error);
    return { tooLarge: [`What has room in the device's memory is not known: ${why}`] };
  }
}

/** Of characters. */
const longestFailure = 300;
const mostProblems = 5;
const mostNoted = 3;

/** What the summary tells of the data: of problems all but what mends them, and the rest where there are none. */
function toldBy({ errors, idle, bypassed, keepingNothing, inactiveOutputs, notChecked }: Checked): Told[] {
  const lists = { leadToNoOutput: idle, bypassed, keepingNothing, inactiveOutputs, notChecked };
  return [
    ...Object.entries(lists).flatMap(([field, items]) =>
      errors.length === 0 && items.length > 0 && items.length <= mostNoted ? [field] : [],
    ),
    ...errors
      .slice(0, mostProblems)
      .map(({ fix }, index) => ["problems", String(index), ...(fix === undefined ? [] : ["problem"])]),
  ];
}

function summary(findings: Checked): string {
  const {
    errors,
    warnings,
    running,
    idle,
    bypassed,
    keepingNothing,
    inactiveOutputs,
    onlyPreviews,
    notChecked,
  } = findings;
  const behind = warnings.length > 0 ? `, ${warnings.length} more in nodes that lead to no output` : "";
  const notes = [
    ...(idle.length > 0 ? [`${idle.length} lead to no output: ${few(idle, mostNoted)}`] : []),
    ...(bypassed.length > 0 ? [`bypassed in what runs: ${few(bypassed, mostNoted)}`] : []),
    ...(keepingNothing.length > 0
      ? [`comes out gray, part of an empty latent being kept: ${few(keepingNothing, mostNoted)}`]
      : []),
    ...(inactiveOutputs.length > 0 ? [`not active: ${few(inactiveOutputs, mostNoted)}`] : []),
    ...(onlyPreviews ? ["outputs only preview, none saves"] : []),
    ...(notChecked.length > 0
      ? [
          `not checked whether model, text encoder and VAE go together, as these do not tell: ${few(notChecked, mostNoted)}`,
        ]
      : []),
  ];
  if (errors.length === 0)
    return `No problems${behind}: ${[`${running} nodes would run`, ...notes].join("; ")}.`;
  const counted = `${amountOf(errors.length, "problem")}${behind}`;
  const words = errors.slice(0, mostProblems).map(word);
  return `${counted}: ${words.join("; ")}${errors.length > mostProblems ? "; …" : "."}`;
}

/** What a missing entry of a list may show as. */
const listsOf: ReadonlySet<ProblemKind> = new Set(["missing-file", "wrong-choice", "missing-input"]);

/** A file may have come since the page was loaded. */
async function problemsOf(comfy: Comfy, nodes: PromptNodes): Promise<Findings> {
  await comfy.learnReplacements();
  const { links } = await comfy.unwired();
  const handingOn = new Set(
    links.flatMap(({ place, via }) => (via === undefined ? [] : [...place, via].join(":"))),
  );
  const found = findProblems(nodes, installedIn(comfy), handingOn);
  const types = [...found.errors, ...found.warnings].flatMap(({ kind, type }) =>
    type !== undefined && listsOf.has(kind) ? [type] : [],
  );
  return types.length > 0 && (await comfy.refreshChoices(types))
    ? findProblems(nodes, installedIn(comfy), handingOn)
    : found;
}

const ownChecks = z.object({ types: z.record(z.string(), z.array(z.string())) });

/** Without choices that ComfyUI leaves to the node's own check: many of those take what no list has, but hardly a file. */
async function withoutOwnChoices(findings: Findings, ask: Ask | undefined): Promise<Findings> {
  const { errors, warnings } = findings;
  if (!ask || ![...errors, ...warnings].some(({ kind }) => kind === "wrong-choice")) return findings;
  const reply = await ask("GET", "/environment/own-checks");
  const { types = {} } = ownChecks.safeParse(reply.ok ? reply.value : undefined).data ?? {};
  const isTold = ({ kind, type = "", input = "" }: Problem) =>
    kind !== "wrong-choice" || !types[type]?.some((name) => name === input || name === "*");
  return { ...findings, errors: errors.filter(isTold), warnings: warnings.filter(isTold) };
}

function word({ node, type, input, found }: Problem): string {
  const text = found.replace(/\.$/, "");
  return node === undefined
    ? text
    : `${node} ${type ?? ""}${input === undefined ? "" : `.${input}`}: ${text}`;
}
