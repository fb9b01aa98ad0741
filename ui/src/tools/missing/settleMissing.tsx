/** From what a workflow lacks to what the person wants done about it, in two questions, and to its being done. */

import type { Comfy } from "../../comfy/bridge";
import { createStore } from "../../shared/store";
import type { MissingData } from "../findMissing";
import type { ToolContext, ToolResult } from "../tool";
import { declined, ToolError } from "../toolError";
import { type Ask, type Report, shortName } from "./ask";
import { beginAll, carryOut, type Done, settled, underWay } from "./carryOut";
import { offerOf } from "./fetchModels";
import { makeKnown } from "./knownByNow";
import { lackWords, moreWords } from "./lackWords";
import {
  type Act,
  adviceOf,
  isWithoutChoice,
  type Line,
  type MissingPackage,
  modelLine,
  type Offered,
  outdatedLine,
  packageLine,
  type Refused,
  replacedLine,
  smallerRunLine,
  tooLargeLine,
} from "./lines";
import { type LookUp, mayLookUp, offeredAs } from "./lookUp";
import { MissingCard } from "./MissingCard";
import { findManager, type Manager } from "./manager";
import { memoryNotes, namesOf, needOf, outdatedNotes } from "./need";
import { registeredPackages } from "./packages";
import { refusalOfAll, told } from "./refusals";
import { type SmallerRun, smallerRuns } from "./smallerRuns";

export async function settleMissing(comfy: Comfy, context: ToolContext): Promise<ToolResult<MissingData>> {
  const { ask } = context;
  if (!ask) throw new ToolError("There is no server to ask what is missing.");
  const { key } = comfy.workflow();
  const isStillOpen = () => comfy.workflow().key === key;
  const going = underWay.safeParse(context.outlived).data;
  if (going) {
    const manager = going.installs.length > 0 ? await findManager(ask) : undefined;
    const isTheSame = () => comfy.workflow().name === going.workflow;
    return resultOf(await carryOut(going, { ask, comfy, context, manager, isStillOpen: isTheSame }), []);
  }
  const known = await makeKnown(comfy, context);
  const need = await needOf(ask, comfy);
  const { found, manager, packages, lookUp } = need;
  const lack = namesOf(need);
  const runs = found.tooLarge.length > 0 ? await smallerRunsOf(comfy) : [];
  const tooLargeNotes = memoryNotes(found, runs);
  const beyond = moreWords(found);
  const notes = [
    ...(known.length > 0
      ? [`Loaded anew, since their types are installed by now: ${known.map(shortName).join(", ")}.`]
      : []),
    ...(beyond ? [beyond] : []),
    ...outdatedNotes(found),
    ...tooLargeNotes,
  ];
  const before = settled.safeParse(context.outlived).data;
  if (before && lack.every((name) => before.lack.includes(name))) {
    const still = (await linesOf(found, packages, { ask, context, manager })).missing;
    const left = still.length > 0 ? `Still missing: ${told(still)}.` : "Nothing is missing now.";
    return resultOf(before.done, [left, ...notes]);
  }
  const isWhole = lack.length === 0;
  const wholeResult: ToolResult<MissingData> = {
    ok: true,
    summary: ["Nothing is missing.", ...notes].join(" "),
    told: ["missing", "outdated", "tooLarge"],
    data: {
      missing: [],
      ...(found.outdated && { outdated: found.outdated }),
      ...(tooLargeNotes.length > 0 && { tooLarge: tooLargeNotes }),
    },
  };
  if (isWhole && found.tooLarge.length === 0) return wholeResult;

  const isLookedUp = await mayLookUp(ask, lookUp, context);
  const { missing: absent, tooLarge } = await linesOf(found, packages, {
    ask,
    context,
    manager,
    ...(isLookedUp && { lookUp }),
  });
  const older = (found.outdated ?? [])
    .filter(({ id }) => !packages.some((each) => each.isInstalled && each.id.toLowerCase() === id))
    .map(outdatedLine);
  const lines = [...absent, ...older, ...tooLarge, ...runs.map(smallerRunLine)];
  const missing = isWhole ? "" : ` Missing: ${told(absent)}`;
  if (lines.every(isWithoutChoice)) {
    if (isWhole) return wholeResult;
    if (!isLookedUp) {
      const known = absent.filter(({ byHand }) => byHand?.url);
      return declined(
        [`looking it up.${missing}`, ...(known.length > 0 ? [known.map(adviceOf).join("; ")] : [])].join(
          ". ",
        ),
      );
    }
    const reason = refusalOfAll(absent);
    return {
      ok: true,
      summary: [
        reason ?? "Nothing of it can be had from here.",
        `Missing: ${told(absent, reason)}.`,
        ...notes,
        `For the user to do: ${lines.map(adviceOf).join("; ")}.`,
      ].join(" "),
      told: ["byHand"],
      data: { byHand: lines.flatMap((line) => line.byHand ?? []) },
    };
  }

  const chosen = createStore<readonly number[]>(lines.map(() => 0));
  const wanted = await context.confirm({
    title: `${isWhole ? "This workflow has files that are larger than this device's memory" : `This workflow lacks ${lackWords(need)}`}. Do what is chosen here?`,
    always: true,
    allow: "Do it",
    body: <MissingCard lines={lines} chosen={chosen} beyond={beyond} />,
  });
  if (!wanted)
    return declined(
      isWhole ? "what is smaller." : `fetching and installing.${missing}${beyond && `. ${beyond}`}`,
    );
  const acts = lines.map<Act>(
    ({ options }, index) => options[chosen.get()[index] ?? 0]?.act ?? { kind: "skip" },
  );
  const means = { ask, comfy, context, manager, isStillOpen };
  return resultOf(await carryOut(await beginAll(acts, lines, means, lack), means), notes);
}

/** What lacks much may make no prompt yet. */
async function smallerRunsOf(comfy: Comfy): Promise<SmallerRun[]> {
  const prompt = await comfy.queue.prompt().catch(() => undefined);
  return prompt ? smallerRuns(comfy, prompt.nodes) : [];
}

interface Sources {
  ask: Ask;
  context: ToolContext;
  manager: Manager | undefined;
  /** Left out, nobody is asked. */
  lookUp?: LookUp;
}

async function linesOf(
  found: Report,
  named: readonly MissingPackage[],
  { ask, context, manager, lookUp }: Sources,
): Promise<{ missing: Line[]; tooLarge: Line[] }> {
  const { models, tooLarge, memory } = found;
  const packages = lookUp ? await registeredPackages(ask, named, lookUp) : named;
  const offered: Offered = new Map();
  const closed = new Map<string, Refused>();
  for (const source of lookUp?.files ?? []) {
    if (offered.has(offeredAs(source))) continue;
    if (context.signal.aborted) throw new ToolError("Stopped; nothing was fetched.");
    context.onProgress({ text: `Looking up ${source.file}` });
    offered.set(offeredAs(source), await offerOf(ask, source, context, closed));
  }
  return {
    missing: [
      ...packages.map((each) => packageLine(each, manager !== undefined, found.outdated)),
      ...found.replaced.map(replacedLine),
      ...models.map((each) => modelLine(each, offered, memory)),
    ],
    tooLarge: tooLarge.flatMap((each) => tooLargeLine(each, offered, memory)),
  };
}

function resultOf(
  { fetched, replaced, retyped, installed, failed, left, unavailable, byHand, toDo }: Done,
  notes: readonly string[],
): ToolResult<MissingData> {
  const parts = [
    ...(fetched.length > 0 ? [`Fetched ${fetched.join(", ")}.`] : []),
    ...(replaced.length > 0 ? [`Set ${replaced.join(", ")}.`] : []),
    ...(retyped.length > 0 ? [`Replaced ${retyped.join(", ")}.`] : []),
    ...(installed.length > 0
      ? [`Installed ${installed.join(", ")}; ${toDo ? `the user has to ${toDo}` : "ComfyUI has restarted"}.`]
      : []),
    ...(left.length > 0 ? [`The user left: ${left.join(", ")}.`] : []),
    ...(unavailable.length > 0 ? [`Not to be had from here: ${unavailable.join("; ")}.`] : []),
    ...(failed.length > 0 ? [`Failed: ${failed.join(" ")}`] : []),
    ...notes,
  ];
  const isNothingDone = fetched.length + replaced.length + retyped.length + installed.length === 0;
  if (isNothingDone && failed.length > 0) return { ok: false, error: parts.join(" ") };
  const data: MissingData = {
    fetched,
    set: replaced,
    ...(retyped.length > 0 && { replaced: retyped }),
    installed,
    left,
    ...(unavailable.length > 0 && { unavailable }),
    ...(byHand.length > 0 && { byHand }),
    failed,
    ...(notes.length > 0 && { notes: [...notes] }),
  };
  return { ok: true, summary: parts.join(" "), told: Object.keys(data), data };
}
