/** Saved workflows, loaded into the page. */

import type { JsonObject } from "../../graph/uiWorkflow";
import type { LoadOptions } from "../bridge";
import type { LiveWorkflow, Page } from "./page";
import { rootGraph } from "./page";

/** The page's dialogs about what is missing would cover it: the tool tells the same. */
const silently = { showMissingNodesDialog: false, showMissingModelsDialog: false, silentAssetErrors: true };

export async function loadWorkflow(
  page: Page,
  workflow: JsonObject,
  asUndoStep: (load: () => Promise<void>, turn?: string) => Promise<void>,
  { newTab, turn, keepsResults = false }: LoadOptions = {},
): Promise<void> {
  const { app } = page;
  if (newTab !== undefined) {
    await app.loadGraphData(workflow, true, false, newTab, silently);
    checkLoaded(page, workflow);
    return;
  }
  const open = app.extensionManager?.workflow?.activeWorkflow ?? null;
  const before = JSON.parse(JSON.stringify(rootGraph(page).serialize()));
  const load = async (graph: unknown) => {
    app.canvas.setGraph?.(rootGraph(page));
    await app.loadGraphData(graph, !keepsResults, false, open as LiveWorkflow, silently);
  };
  await asUndoStep(async () => {
    try {
      await load({ ...workflow, id: before.id ?? workflow.id });
      checkLoaded(page, workflow);
    } catch (error) {
      await load(before);
      throw error;
    }
  }, turn);
}

/** The page swallows what goes wrong: what matters is whether the nodes are there. */
function checkLoaded(page: Page, { nodes }: JsonObject): void {
  const wanted = Array.isArray(nodes) ? nodes.length : 0;
  const found = rootGraph(page).nodes.length;
  if (found !== wanted) throw new Error(`ComfyUI loaded ${found} of ${wanted} nodes.`);
}
