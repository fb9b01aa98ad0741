/** From edits to what was changed: planned, allowed, applied and read again. */

import type { Comfy } from "../../comfy/bridge";
import { shownByApp } from "../../graph/appMode";
import { changesBetween, type NodeChange } from "../../graph/compact/changes";
import { nodeWords } from "../../graph/compact/changeWords";
import { orphansBetween } from "../../graph/compact/orphans";
import type { Place } from "../../graph/graph";
import { nodePath } from "../../graph/nodePath";
import type { Unwired, UnwiredLink } from "../../graph/unwired";
import { rememberNames } from "../read/givenNames";
import { newestOf, type Sight } from "../read/known";
import { lastShown, look, remember } from "../read/sight";
import { declined, type ToolContext, ToolError, type ToolFailure } from "../tool";
import { type Applied, applyPlan } from "./applyPlan";
import { askAboutFetches } from "./askAboutFetches";
import { changedAlong } from "./changedAlong";
import { faultWords, rootsOf } from "./faults";
import { fedOtherwise } from "./fedOtherwise";
import { lostFeeds } from "./lostFeeds";
import { mendedBatch } from "./mendBatch";
import { notChosen } from "./notChosen";
import type { Edit } from "./operation";
import { looseEnds, marksOf, type Outcome, outcomeOf } from "./outcome";
import { nameOf, rememberOwn } from "./ownNodes";
import { type BatchPlan, planBatch, type RefusedEdit } from "./planBatch";
import { type Rolled, rolledAnew } from "./rolledAnew";
import { runOtherwise } from "./runOtherwise";
import { type Basis, type News, newsSince } from "./staleness";
import { starvedBy } from "./starved";
import type { NodeIdentity } from "./step";
import { addUp, costOf } from "./turnCosts";
import { markupWritten } from "./writtenTexts";

/** A plan that nothing speaks against, and what it was made on. */
interface ReadyPlan {
  before: Sight;
  plan: BatchPlan;
  /** What the person changed since the model looked, elsewhere than this batch. */
  news: News;
}

export interface BatchDone extends Outcome, Applied, Pick<ReadyPlan, "plan" | "news"> {
  revision: string;
  /** The graph on the canvas, to which plain ids belong. */
  open: Place;
  stillUnconnected: string[];
  /** Of what was set, what the next run gives another value. */
  rolled: Rolled[];
  /** What was asked for and was so already, as `3.steps is 10 already`. */
  unchanged: string[];
  /** Files of new nodes that nobody has chosen. */
  notChosen: string[];
  /** What ComfyUI's page has changed of other nodes with it. */
  along: string[];
  /** Links that ComfyUI has lost by itself. */
  lost: string[];
  /** What App Mode showed before. */
  hidden: string[];
  /** The links without a wire that there are now. */
  feeds: readonly UnwiredLink[];
}

/** The conversation and its turn to which the edits belong. */
export interface Origin extends Basis, Partial<Pick<ToolContext, "confirm">> {
  turn?: string;
}

/**
 * Throws a ToolError that names every refused edit, and `Declined` where the page would fetch something by it that the
 * person does not want; nothing is changed then.
 */
export async function runBatch(
  comfy: Comfy,
  edits: readonly Edit[],
  origin: Origin = {},
): Promise<BatchDone> {
  await comfy.learnReplacements();
  const feeds = await comfy.unwired();
  const ready = readyPlan(comfy, edits, feeds, origin);
  const markup = markupWritten(ready.plan);
  if (markup.length === 0) return carryOut(comfy, feeds, ready, origin);
  await askAboutFetches(comfy, markup, ready.before.workflow, origin);
  const now = await comfy.unwired();
  return carryOut(comfy, now, readyPlan(comfy, edits, now, origin), origin);
}

/** Asks the person before what takes much of their workflow; a result for the model where they do not agree. */
export async function runBatchIfAllowed(
  comfy: Comfy,
  edits: readonly Edit[],
  context: ToolContext & Origin,
): Promise<BatchDone | ToolFailure> {
  await comfy.learnReplacements();
  const feeds = await comfy.unwired();
  const ready = readyPlan(comfy, edits, feeds, context);
  const { question, nodes } = costOf(comfy, ready.plan, context.turn);
  if (question && !(await context.confirm(question)))
    return declined(`${question.title} Nothing was changed.`);
  const isReady = !question && markupWritten(ready.plan).length === 0;
  const done = await (isReady ? carryOut(comfy, feeds, ready, context) : runBatch(comfy, edits, context));
  if (!question) addUp(comfy, nodes, context.turn);
  return done;
}

async function carryOut(
  comfy: Comfy,
  feeds: Unwired,
  { before, plan, news }: ReadyPlan,
  { turn, thread }: Origin,
): Promise<BatchDone> {
  const open = comfy.openPlace();
  const app = shownByApp(comfy.whole.read());
  const applied = applyPlan(comfy, plan);
  const lost = await restoreLate(comfy, applied);
  const { after, shown } = await comfy.finished(() => ({
    after: look(comfy),
    shown: new Set(shownByApp(comfy.whole.read())),
  }));
  const outcome = outcomeOf(changesBetween(before.workflow, after.workflow));
  comfy.mark(turn, marksOf(outcome));
  rememberOwn(comfy, outcome, turn, notAsked(plan, applied));
  rememberNames(
    comfy,
    plan.draft
      .namesGiven()
      .map(([name, { at, node }]) => [
        name,
        { place: at.place.map(applied.idOf), id: applied.idOf(node.id) },
      ]),
  );
  const isSeen = ({ places }: NodeChange) => places.some((place) => place.join() === open.join());
  const later = plan.moved.filter(({ at, node }) => plan.later.has(node) && at.place.join() === open.join());
  comfy.bringIntoView([
    ...outcome.added.filter(isSeen).map(({ node }) => node),
    ...later.map(({ node }) => node.id),
  ]);
  const known = lastShown(comfy, thread);
  remember(comfy, after, thread, news.shows);
  const knownAfter = lastShown(comfy, thread);
  const fed = await comfy.unwired();
  const { workflow, lost: starved } = lostFeeds({
    feeds: fed.links,
    shown: known && newestOf(known).workflow,
    after: after.workflow,
    outcome,
    open,
  });
  if (workflow !== after.workflow && lastShown(comfy, thread) === knownAfter)
    remember(comfy, { ...after, workflow }, thread, news.shows);
  return {
    ...applied,
    ...outcome,
    plan,
    lost,
    news,
    feeds: fed.links,
    revision: after.revision,
    open,
    stillUnconnected: [
      ...looseEnds(comfy, [...outcome.added, ...outcome.changed], fed.links, open),
      ...orphansBetween(before.workflow, after.workflow).map(
        (orphan) => `${nodeWords(orphan, open)} is used by nothing now`,
      ),
      ...starved,
      ...(await starvedBy(comfy, outcome, open)),
    ],
    notChosen: notChosen(comfy, outcome, plan, applied, open),
    rolled: rolledAnew(comfy, outcome, plan, applied),
    hidden: app.filter((each) => !shown.has(each)),
    unchanged: plan.steps.flatMap(({ already }) => already?.() || []),
    along: [
      ...applied.shownUnasked.map(
        ({ place, node, names }) => `${nodePath(place, node, open)} shows ${names.join(", ")}`,
      ),
      ...changedAlong(comfy, outcome.changed, plan, applied, open),
      ...fedOtherwise(feeds.links, fed.links, outcome, open),
      ...(await runOtherwise(comfy, { before, after, feeds, fed })),
    ],
  };
}

/** Whether the batch has found the place of a node by itself. */
function notAsked({ draft }: BatchPlan, { idOf }: Applied): (node: NodeIdentity) => boolean {
  const asked = new Set(
    [...draft.graphs.values()].flatMap(({ definition, graph: { nodes } }) =>
      nodes.flatMap((node) =>
        draft.isPlaceGiven(node) ? nameOf({ graph: definition, node: idOf(node.id) }) : [],
      ),
    ),
  );
  return (node) => !asked.has(nameOf(node));
}

/**
 * Some nodes move their links up a frame after one of them went, though another one is there by then, and get slots for
 * more with each that is drawn. Returns the links that are missing for good.
 */
async function restoreLate(comfy: Comfy, { restorers }: Pick<Applied, "restorers">): Promise<string[]> {
  const missing = () => restorers.flatMap(({ restore }) => restore());
  let lost = restorers.length > 0 ? await comfy.finished(missing) : [];
  while (lost.length > 0) {
    comfy.edit((editor) => {
      for (const { restore } of restorers) restore(editor);
    });
    const left = await comfy.finished(missing);
    if (left.length >= lost.length) return left;
    lost = left;
  }
  return [];
}

/** What has changed is told with the refusal, and known from then on. */
function readyPlan(comfy: Comfy, edits: readonly Edit[], { links }: Unwired, basis: Origin): ReadyPlan {
  const before = look(comfy);
  const plan = planBatch(comfy, edits, links, basis.turn);
  const news = newsSince(comfy, before, plan, basis);
  if (plan.refusals.length === 0) return { before, plan, news };
  const operations = mendedBatch(comfy, edits, links);
  const revision = basis.revision === undefined ? {} : { revision: before.revision };
  const refused = refusal(plan.refusals, edits.length, operations && { operations, ...revision });
  if (news.lines.length === 0) throw refused;
  remember(comfy, before, basis.thread, news.shows);
  throw refused.with({
    message: `${refused.message} Since you read it, the user has changed: ${news.lines.join("; ")}.`,
    ...(news.hasRemovals && { isUnknownNode: false }),
  });
}

/** What only names something that another of them would make is counted by its number. */
function refusal(all: readonly RefusedEdit[], count: number, sendInstead: object | undefined): ToolError {
  const refusals = rootsOf(all, ({ error }) => error);
  const following = all.filter((each) => !refusals.includes(each)).map(({ index }) => `[${index}]`);
  const [only] = refusals;
  if (only && count === 1) return sendInstead ? only.error.with({ sendInstead }) : only.error;
  const told = faultWords(
    refusals.map(({ index, operation, error: { message, hint } }) => ({
      message: `operations[${index}] ${operation}: ${message}`,
      hint,
    })),
  );
  const behind = following.length > 0 ? ` ${following.join(", ")} name what these would make.` : "";
  return new ToolError(
    `Nothing was changed: ${refusals.length} of ${count} operations do not fit. ${told}${behind}`,
    sendInstead ? "sendInstead is the whole batch, mended." : "Mend these and send the whole batch again.",
    refusals.flatMap(({ error }) => error.choicesOf),
    {
      sendInstead,
      isUnknownNode: refusals.some(({ error }) => error.isUnknownNode),
    },
  );
}
