/** Saved workflows, loaded into the page. */

import { withId } from "../../../graph/appMode";
import type { JsonObject } from "../../../graph/uiWorkflow";
import type { LoadOptions } from "../../bridge";
import { loadWithLists } from "../files/fetchedLists";
import type { LiveWorkflow, Page } from "../page";
import { rootGraph } from "../page";
import type { Steps } from "../undo/openTabs";
import { nameOf } from "./tabs";

/** The page's dialogs about what is missing would cover it: the tool tells the same. */
export const silently = {
  showMissingNodesDialog: false,
  showMissingModelsDialog: false,
  silentAssetErrors: true,
};

export type LoadSteps = Pick<Steps, "loadAsUndoStep" | "openAsTurn">;

export async function loadWorkflow(
  page: Page,
  workflow: JsonObject,
  { loadAsUndoStep, openAsTurn }: LoadSteps,
  { newTab, turn, keepsResults = false }: LoadOptions = {},
): Promise<void> {
  const { app } = page;
  if (newTab !== undefined)
    return openAsTurn(async () => {
      await loadWithLists(page, workflow, true, false, freeName(page, newTab), silently);
      checkLoaded(page, workflow);
    }, turn);
  const open = app.extensionManager?.workflow?.activeWorkflow ?? null;
  const before = JSON.parse(JSON.stringify(rootGraph(page).serialize()));
  const load = async (graph: unknown) => {
    app.canvas.setGraph?.(rootGraph(page));
    await loadWithLists(page, graph, !keepsResults, false, open as LiveWorkflow, silently);
  };
  await loadAsUndoStep(async () => {
    try {
      await load(withId(workflow, before.id));
      checkLoaded(page, workflow);
    } catch (error) {
      await load(before);
      throw error;
    }
  }, turn);
}

/** A page of 1.58 puts a workflow into the tab that has its name, in place of what is there. */
function freeName({ app }: Page, name: string): string {
  const taken = new Set((app.extensionManager?.workflow?.openWorkflows ?? []).map(nameOf));
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`;
  return free;
}

/** The page swallows what goes wrong: what matters is whether the nodes are there. */
function checkLoaded(page: Page, { nodes }: JsonObject): void {
  const wanted = Array.isArray(nodes) ? nodes.length : 0;
  const found = rootGraph(page).nodes.length;
  if (found !== wanted) throw new Error(`ComfyUI loaded ${found} of ${wanted} nodes.`);
}
