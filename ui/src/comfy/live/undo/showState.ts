/** Another workflow comes to the front, and gets a state as one step. */

import { isSame, looksOfSlots } from "../../../graph/sameState";
import { withoutDrawnLinks } from "../../../graph/savedBroadcasts";
import type { JsonObject, UiWorkflow } from "../../../graph/uiWorkflow";
import { changesInPlace } from "../editing/changeInPlace";
import { asMade, type MadeAs } from "../editing/madeAs";
import { loadWithLists } from "../files/fetchedLists";
import type { LiveWorkflow, Page } from "../page";
import { rootGraph } from "../page";
import { loadWorkflow, silently } from "../workflows/loadWorkflow";
import type { Steps } from "./openTabs";

export async function showState(
  page: Page,
  workflow: LiveWorkflow,
  state: unknown,
  steps: Steps,
  madeAs: MadeAs = new Map(),
): Promise<void> {
  const { app } = page;
  const present = workflow.changeTracker?.activeState;
  if (app.extensionManager?.workflow?.activeWorkflow !== workflow)
    await loadWithLists(page, structuredClone(present), true, true, workflow, silently);
  if (state === present) return;
  const changes = changesInPlace(page, present as UiWorkflow, state as UiWorkflow);
  if (changes) {
    steps.asUndoStep(() => {
      for (const change of changes) change();
    });
    rootGraph(page).setDirtyCanvas(true);
    if (await steps.finished(() => isSame(workflow.changeTracker?.activeState, state, looksOfSlots))) return;
  }
  await loadWorkflow(page, withoutDrawnLinks(asMade(structuredClone(state) as JsonObject, madeAs)), steps, {
    keepsResults: true,
  });
}
