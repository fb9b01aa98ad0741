/** applyWorkflow: loads a whole workflow, and proves that it became what was meant. */

import type { Comfy, LoadOptions } from "../../comfy/bridge";
import { shownByApp, withoutGone } from "../../graph/appMode";
import { workflowInOrder } from "../../graph/compact/flow";
import { withUnwired } from "../../graph/compact/unwired";
import { nodeCount, noWorkflow } from "../../graph/compact/workflow";
import { beside } from "../../graph/merge";
import type { ShapeOf } from "../../graph/nodeShape";
import { differenceWords, type PromptDifference } from "../../graph/promptDifferences";
import { withReroutes } from "../../graph/reroutes";
import { withoutDrawnLinks } from "../../graph/savedBroadcasts";
import type { JsonObject, UiWorkflow } from "../../graph/uiWorkflow";
import { newUuid } from "../../graph/uuid";
import { amountOf } from "../../shared/amounts";
import { few, fewEntries } from "../../shared/few";
import { isObject } from "../../shared/json";
import { seen } from "../../shared/quoted";
import { askAboutFetches, markupSaved } from "../edit/askAboutFetches";
import { fedOtherwise } from "../edit/fedOtherwise";
import { looseEnds, marksOf } from "../edit/outcome";
import { rememberOwn } from "../edit/ownNodes";
import { type Form, firstThatFits, shownIn } from "../read/forms";
import type { Sight } from "../read/known";
import { replacedWords } from "../read/replacedWords";
import { look, remember } from "../read/sight";
import { askForNodes, workflowForms } from "../read/workflowForms";
import { declined, type ToolContext, ToolError, type ToolFailure, type ToolResult } from "../tool";
import { type Built, built } from "./built";
import { givenWorkflow } from "./given";
import { loadOutcome, namedChanges } from "./loadOutcome";
import { loadProven } from "./loadProven";
import { type Missing, missingNow } from "./missing";
import { notKept } from "./notKept";
import { opensTab } from "./opensTab";
import { promptNow, unfed } from "./proof";
import { replaceNames } from "./replaceNames";

type Mode = "replace" | "insert" | "newTab";

interface Arguments {
  workflow?: string | undefined;
  template?: string | undefined;
  file?: string | undefined;
  ref?: string | undefined;
  mode?: Mode | undefined;
  replacements?: Record<string, unknown> | undefined;
  allowMissing?: boolean | undefined;
}

const mostListed = 12;
const fewChoices = 3;

export async function loadGiven(
  { workflow, template, file, ref, mode: wanted, replacements = {}, allowMissing }: Arguments,
  comfy: Comfy,
  context: ToolContext,
): Promise<ToolResult> {
  const names = Object.fromEntries(Object.entries(replacements).map(([old, name]) => [old, String(name)]));
  const source = await givenWorkflow(comfy, { workflow, template, file, ref }, context.readBack);
  const { given, counts } = replaceNames(source, names);
  const fresh = built(comfy, given, look(comfy));
  const missing = await missingNow(comfy, fresh.saved);
  const before = look(comfy);
  const opens = opensTab({ file, ref, mode: wanted });
  // An empty tab loses nothing.
  const mode = wanted ?? (opens && before.workflow.nodes.length > 0 ? "newTab" : "replace");
  if (missing.length > 0 && !allowMissing) return refused(missing);
  if (mode === "replace" && before.workflow.nodes.length > 0) {
    const question = `Replace the workflow “${seen(comfy.workflow().name)}”?`;
    const detail = `Its ${before.workflow.nodes.length} nodes make way for ${fresh.saved.nodes.length} others.`;
    if (!(await context.confirm({ title: question, detail })))
      return declined(`${question} Nothing was changed.`);
    checkUnchanged(comfy, before);
  }
  await askAboutFetches(comfy, markupSaved(fresh.saved), before.workflow, context);
  if (mode !== "newTab") checkUnchanged(comfy, before);
  return apply(comfy, context, {
    before,
    fresh,
    missing,
    mode,
    name:
      template ??
      file
        ?.split(/[\\/]/)
        .at(-1)
        ?.replace(/\.\w+$/, "") ??
      "New workflow",
    isRewritten: mode === "replace" && workflow !== undefined && given.form === "compact",
    lines: new Set(mode === "insert" ? [] : workflow?.split("\n").map((line) => line.trim())),
    replaced: Object.entries(names).flatMap(([old, fresh]) => {
      const count = counts.get(old);
      return count ? [`${old} → ${fresh}, ${amountOf(count, "time")}`] : [];
    }),
    notReplaced: Object.keys(names).filter((old) => !counts.has(old)),
  });
}

interface Application {
  before: Sight;
  fresh: Built;
  missing: Missing[];
  mode: Mode;
  /** Of a new tab. */
  name: string;
  /** Its nodes are those of before, written anew: only then an equal id tells an equal node. */
  isRewritten: boolean;
  /** As the model wrote them. */
  lines: ReadonlySet<string>;
  replaced: string[];
  /** Names that are nowhere in it. */
  notReplaced: string[];
}

async function apply(
  comfy: Comfy,
  context: ToolContext,
  { before, fresh, missing, mode, name, isRewritten, lines, replaced, notReplaced }: Application,
): Promise<ToolResult> {
  const { saved, options } = placed(comfy, fresh, mode, name);
  const isCompared = isRewritten || mode === "insert";
  const was = isCompared && before.workflow.nodes.length > 0 ? await promptNow(comfy) : undefined;
  const fedBefore = isCompared ? (await comfy.unwired()).links : [];
  const savedBefore = plainCopy(comfy);
  const app = isRewritten ? shownByApp(comfy.whole.read()) : [];
  const loading = { ...options, ...(context.turn !== undefined && { turn: context.turn }) };
  const { now, byPage, refused } = await loadProven(comfy, saved, loading, {
    was,
    before,
    savedBefore,
    written: mode === "insert" ? undefined : fresh.written,
  });
  if (mode === "newTab") context.follow?.(comfy.workflow().key);
  if (refused) return otherwise(refused.wrong, refused.left);
  const outcome = loadOutcome(isCompared ? before.workflow : noWorkflow, now.workflow);
  if (isCompared) comfy.mark(context.turn, marksOf(outcome));
  rememberOwn(comfy, outcome, context.turn);
  const shownNow = new Set(shownByApp(comfy.whole.read()));
  const hidden = app.filter((each) => !shownNow.has(each));
  const { links: feeds } = await comfy.unwired();
  const open = comfy.openPlace();
  const stillUnconnected = looseEnds(comfy, [...outcome.added, ...outcome.changed], feeds, open);
  comfy.bringIntoView(mode === "insert" ? outcome.added.map(({ node }) => node) : undefined, {
    always: true,
  });
  const shown = workflowInOrder(withUnwired(now.workflow, feeds));
  const adjusted = mode !== "insert" && fresh.written ? notKept(fresh.written, shown, comfy.whole.shape) : [];
  const run = mode !== "insert" && fresh.written ? await promptNow(comfy) : undefined;
  const emptyHanded = run && fresh.written ? unfed(fresh.written, run) : [];
  const along = isCompared ? fedOtherwise(fedBefore, feeds, outcome, open) : [];
  const told = Object.entries({ stillUnconnected, adjusted })
    .filter(([, items]) => items.length > 0 && items.length <= mostListed)
    .map(([field]) => field);
  const title = comfy.workflow().name;
  const done = {
    replace: `Replaced "${title}" by`,
    insert: `Added to "${title}"`,
    newTab: `Opened "${title}" with`,
  };
  /** Without those that are in the result as the model wrote them, where it is plain to which graph the others belong. */
  const otherThanWritten = (all: readonly string[]) =>
    shown.subgraphs.length > 0 ? all : all.filter((entry) => !lines.has(entry.trim()));
  const resultOf = (
    { entries: all, brief: _brief, tells: _tells, ...form }: Form,
    entries = otherThanWritten(all),
  ) => ({
    ok: true as const,
    summary: [
      `${done[mode]} ${amountOf(mode === "insert" ? fresh.saved.nodes.length : nodeCount(now.workflow), "node")}${missing.length > 0 ? `; ${missingLines(missing).length} not installed` : ""}.`,
      ...(notReplaced.length > 0
        ? [`Not replaced, since it is nowhere in it: ${few(notReplaced, mostListed)}.`]
        : []),
      ...(stillUnconnected.length > 0 ? [`Still unconnected: ${few(stillUnconnected, mostListed)}.`] : []),
      ...(emptyHanded.length > 0
        ? [`Linked, and yet nothing comes in when it is run: ${few(emptyHanded, mostListed)}.`]
        : []),
      ...(adjusted.length > 0 ? [`Otherwise than written: ${few(adjusted, mostListed)}.`] : []),
      ...(byPage.length > 0
        ? [`ComfyUI itself loads otherwise what was open: ${few(byPage.map(differenceWords), mostListed)}.`]
        : []),
      ...(hidden.length > 0 ? [`The app no longer shows: ${few(hidden, mostListed)}.`] : []),
      ...(along.length > 0 ? [`Not asked for, and changed with it: ${few(along, mostListed)}.`] : []),
      ...(isRewritten && !run ? ["ComfyUI cannot make a prompt of it."] : []),
      ...(entries.length < all.length
        ? [`${entries.length === 0 ? "All lines are" : "Lines that are not told are"} as written.`]
        : []),
    ].join(" "),
    ...(told.length > 0 && { told }),
    data: {
      workflow: title,
      revision: now.revision,
      nodes: nodeCount(now.workflow),
      ...(replaced.length > 0 && { replaced }),
      ...(stillUnconnected.length > 0 && { stillUnconnected }),
      ...(isCompared && namedChanges(comfy, outcome)),
      ...(missing.length > 0 && {
        missing: fewEntries(missingLines(missing), mostListed, "; findMissing tells all"),
      }),
      ...(adjusted.length > 0 && {
        adjusted: fewEntries(adjusted, mostListed, "; getWorkflowInfo tells how they are"),
      }),
      ...form,
      ...(entries.length > 0 && { text: entries.join("\n") }),
    },
  });
  const forms = workflowForms(shown);
  const form = firstThatFits(forms, askForNodes, (each) => context.room.holds(resultOf(each)));
  remember(comfy, now, context.thread, mode === "insert" ? shownIn(form) : undefined);
  return resultOf(form);
}

function placed(
  comfy: Comfy,
  { saved: fresh, written }: Built,
  mode: Mode,
  name: string,
): { saved: JsonObject; options: LoadOptions } {
  if (mode === "newTab") return { saved: fresh, options: { newTab: name } };
  const base = plainCopy(comfy);
  if (mode === "replace")
    return { saved: written ? withExtraOf(base, fresh, comfy.whole.shape) : fresh, options: {} };
  return { saved: beside(base, fresh, newUuid), options: { keepsResults: true } };
}

function plainCopy(comfy: Comfy): UiWorkflow & JsonObject {
  return withoutDrawnLinks(JSON.parse(JSON.stringify(comfy.whole.read().workflow)));
}

/** `left` is what ComfyUI did not load again as it was. */
function otherwise(wrong: readonly PromptDifference[], left: readonly PromptDifference[]): ToolFailure {
  const put =
    left.length === 0
      ? "The workflow is as it was"
      : `The workflow was put back, but ComfyUI has loaded otherwise: ${few(left.map(differenceWords), mostListed)}. The reason`;
  return {
    ok: false,
    error: `${put}: built from these lines, ComfyUI would run otherwise what they do not change: ${few(wrong.map(differenceWords), mostListed)}.`,
    hint: "Change it by editWorkflow, which leaves all other nodes alone.",
  };
}

/** What the page and packs keep beside the nodes, such as what old group nodes are made of; links have their own. */
function withExtraOf(
  base: UiWorkflow & JsonObject,
  fresh: UiWorkflow & JsonObject,
  shapeOf: ShapeOf,
): JsonObject {
  const { reroutes: _, linkExtensions: __, ...extra } = objectOf(base.extra);
  return withReroutes(withoutGone(Object.assign({}, fresh, { extra }), shapeOf), base);
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? (value as JsonObject) : {};
}

function checkUnchanged(comfy: Comfy, before: Sight): void {
  if (look(comfy).revision !== before.revision)
    throw new ToolError(
      "The user changed the workflow while they were asked; nothing was applied.",
      "Read it again with getWorkflowInfo.",
    );
}

function refused(missing: readonly Missing[]): ToolFailure {
  const lines = fewEntries(missingLines(missing), mostListed).join("; ");
  return {
    ok: false,
    error: `Not installed, so nothing was changed: ${lines}.`,
    hint: missing.every(({ replacedBy }) => replacedBy)
      ? "Pass allowMissing to apply it as it is: then findMissing replaces them, with what they have."
      : "Pass allowMissing to apply it as it is: then findMissing lets the user fetch what it lacks, or takes what is installed.",
  };
}

/** A line for each type or file, with the nodes that want it. */
function missingLines(missing: readonly Missing[]): string[] {
  const wanting = Map.groupBy(missing, ({ isType, type, widget, wanted }) =>
    JSON.stringify(isType ? [wanted] : [type, widget, wanted]),
  );
  return [...wanting.values()].flatMap((all) => {
    const [first] = all;
    if (!first) return [];
    const { isType, type, widget, wanted } = first;
    const closest = insteadWords(first);
    const nodes = `node${all.length === 1 ? "" : "s"} ${nodesIn(all)}`;
    return isType
      ? `node type ${wanted} (${nodes}; ${closest})`
      : `${type} ${widget}=${wanted} (${nodes}; ${closest})`;
  });
}

/** As `4, 9, Upscale: 3, 5`, where the subgraph called Upscale holds the last two. */
function nodesIn(all: readonly Missing[]): string {
  return all
    .map(({ node, subgraph }, index) =>
      subgraph && subgraph !== all[index - 1]?.subgraph ? `${subgraph.name}: ${node}` : node,
    )
    .join(", ");
}

function insteadWords({ replacedBy, instead, choices }: Missing): string {
  if (replacedBy) return replacedWords(replacedBy);
  if (instead.length > 0) return `closest: ${instead.join(", ")}`;
  const nothing = "nothing like it is installed";
  return choices.length > 0 ? `${nothing}, only ${few(choices, fewChoices)}` : nothing;
}
