/** From what a workflow lacks to what the person wants done about it, and to its being done. */

import type { Comfy } from "../../comfy/bridge";
import { amountOf } from "../../shared/amounts";
import { createStore } from "../../shared/store";
import type { ToolContext, ToolResult } from "../tool";
import { declined, ToolError } from "../toolError";
import { type Ask, askFor, type Offer, type Registered, type Report, report } from "./ask";
import type { chooseInstead } from "./chooseInstead";
import { allowsPickle, fetchOffered, offerOf, offerWords } from "./fetchModels";
import { type Act, type Line, memoryNotes, modelLine, packageLine } from "./lines";
import { MissingCard } from "./MissingCard";
import { findManager, type Manager } from "./manager";
import { identifyPackages } from "./packages";
import { restartAndReload } from "./restart";

interface Done {
  fetched: string[];
  replaced: string[];
  installed: string[];
  failed: string[];
  left: string[];
  isDeclined: boolean;
}

/** `choose` edits the graph, which is code that the page has already. */
export async function settleMissing(
  comfy: Comfy,
  context: ToolContext,
  choose: typeof chooseInstead,
): Promise<ToolResult> {
  const { ask } = context;
  if (!ask) throw new ToolError("There is no server to ask what is missing.");
  const { key } = comfy.workflow();
  const found = await lackOf(ask, comfy);
  const notes = memoryNotes(found);
  if (found.models.length + found.packages.length === 0)
    return {
      ok: true,
      summary: ["Nothing is missing.", ...notes].join(" "),
      data: { missing: [], ...(notes.length > 0 && { tooLarge: notes }) },
    };

  const manager = found.packages.length > 0 ? await findManager(ask) : undefined;
  const packages = await identifyPackages(ask, manager, found.packages, context);
  const lines = [
    ...packages.map((each) => packageLine(each, manager !== undefined)),
    ...found.models.map(modelLine),
  ];
  const chosen = createStore<readonly number[]>(lines.map(() => 0));
  const wanted = await context.confirm({
    title: `This workflow lacks ${lackWords(packages.length, found.models.length)}. What shall be done?`,
    ...(notes.length > 0 && { detail: notes.join("\n") }),
    always: true,
    allow: "Go on",
    body: <MissingCard lines={lines} chosen={chosen} />,
  });
  const told = lines.map(({ title, note }) => `${title} (${note})`);
  if (!wanted) return declined(`fetching and installing. Missing: ${told.join("; ")}`);

  const acts = lines.map<Act>(
    ({ options }, index) => options[chosen.get()[index] ?? 0]?.act ?? { kind: "skip" },
  );
  const done = await carryOut(acts, lines, {
    ...{ ask, comfy, context, choose, manager, memory: found.memory },
    isStillOpen: () => comfy.workflow().key === key,
  });
  return resultOf(done, notes);
}

/** Types that only the page knows are not missing. */
async function lackOf(ask: Ask, comfy: Comfy): Promise<Report> {
  const { workflow } = comfy.whole.read();
  const found = await askFor(report, ask("POST", "/assistant/missing", { workflow }));
  const packages = found.packages.flatMap((each) => {
    const types = each.types.filter((type) => !comfy.whole.shape(type));
    return types.length > 0 ? [{ ...each, types }] : [];
  });
  return { ...found, packages };
}

interface Means {
  ask: Ask;
  comfy: Comfy;
  context: ToolContext;
  choose: typeof chooseInstead;
  manager: Manager | undefined;
  memory: number | null;
  /** A download takes long: the person may have gone to another workflow. */
  isStillOpen(): boolean;
}

async function carryOut(acts: readonly Act[], lines: readonly Line[], means: Means): Promise<Done> {
  const { ask, comfy, context, choose, manager, memory, isStillOpen } = means;
  const done: Done = { fetched: [], replaced: [], installed: [], failed: [], left: [], isDeclined: false };
  const offers: { offer: Offer; for: string }[] = [];
  const installs: Registered[] = [];
  const values = new Map<string, string>();
  for (const [index, act] of acts.entries()) {
    if (act.kind === "install") installs.push(act.package);
    else if (act.kind === "replace") values.set(act.for, act.value);
    else if (act.kind === "skip") done.left.push(lines[index]?.title ?? "");
    else {
      context.onProgress({ text: `Asking for ${act.source.file}` });
      const offered = await offerOf(ask, act.source, context);
      if ("refused" in offered) done.failed.push(`${act.source.file}: ${offered.refused}`);
      else if (!offered.isPickle || (await allowsPickle(context, offered)))
        offers.push({ offer: offered, for: act.for });
      else done.left.push(offered.file);
    }
  }

  if (offers.length + installs.length > 0) {
    const isAllowed = await context.confirm({
      title: `${[
        ...(offers.length > 0 ? [`Fetch ${amountOf(offers.length, "model file")}`] : []),
        ...(installs.length > 0
          ? [
              `${offers.length > 0 ? "install" : "Install"} ${amountOf(installs.length, "package")}, whose code then runs here`,
            ]
          : []),
      ].join(" and ")}?`,
      detail: [...installs.map(packageWords), ...offers.map(({ offer }) => offerWords(offer, memory))].join(
        "\n",
      ),
      always: true,
    });
    if (!isAllowed) {
      done.isDeclined = true;
      done.left.push(...offers.map(({ offer }) => offer.file), ...installs.map(({ id }) => id));
      offers.length = 0;
      installs.length = 0;
    }
  }

  for (const { offer, for: name } of offers) {
    if (context.signal.aborted) break;
    try {
      await fetchOffered(ask, offer, context);
      done.fetched.push(`${offer.folder}/${offer.file}`);
      values.set(name, offer.file);
    } catch (error) {
      done.failed.push(failureWords(offer.file, error));
    }
  }
  if (values.size > 0 && !context.signal.aborted) {
    if (isStillOpen()) done.replaced.push(...(await choose(comfy, values, context)));
    else
      done.failed.push(
        "Another workflow is open now: nothing was set in it. Call findMissing when the user is back.",
      );
  }

  if (installs.length > 0 && manager && !context.signal.aborted) {
    try {
      await manager.install(installs, context);
      done.installed.push(...installs.map(({ id, version }) => `${id} ${version}`));
      await restartAndReload(ask, manager, context);
    } catch (error) {
      done.failed.push(failureWords(installs.map(({ id }) => id).join(", "), error));
    }
  }
  return done;
}

function packageWords({ id, version, publisher, author, repository }: Registered): string {
  return `${id} ${version} by ${publisher || author || "an unknown publisher"}, ${repository || "no repository named"}, through ComfyUI-Manager`;
}

function failureWords(what: string, error: unknown): string {
  if (error instanceof ToolError) return [`${what}:`, error.message, error.hint].filter(Boolean).join(" ");
  return `${what}: ${error instanceof Error ? error.message : String(error)}`;
}

function lackWords(packages: number, models: number): string {
  return [
    ...(models > 0 ? [amountOf(models, "model")] : []),
    ...(packages > 0 ? [amountOf(packages, "node package")] : []),
  ].join(" and ");
}

function resultOf(
  { fetched, replaced, installed, failed, left, isDeclined }: Done,
  notes: readonly string[],
): ToolResult {
  const parts = [
    ...(fetched.length > 0 ? [`Fetched ${fetched.join(", ")}.`] : []),
    ...(replaced.length > 0 ? [`Set ${replaced.join(", ")}.`] : []),
    ...(installed.length > 0
      ? [`Installed ${installed.join(", ")}; the user has to restart ComfyUI and reload the page.`]
      : []),
    ...(left.length > 0 ? [`The user left: ${left.join(", ")}.`] : []),
    ...(failed.length > 0 ? [`Failed: ${failed.join(" ")}`] : []),
    ...notes,
  ];
  const isNothingDone = fetched.length + replaced.length + installed.length === 0;
  if (isNothingDone && isDeclined) return declined(`fetching and installing. ${parts.join(" ")}`);
  if (isNothingDone && failed.length > 0) return { ok: false, error: parts.join(" ") };
  return {
    ok: true,
    summary: parts.join(" "),
    data: {
      fetched,
      set: replaced,
      installed,
      left,
      failed,
      ...(notes.length > 0 && { tooLarge: [...notes] }),
    },
  };
}
