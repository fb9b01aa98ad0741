/** The open workflows, of which one is on the canvas. */

import type { Tab } from "../bridge";
import { type LiveWorkflow, type Page, rootGraph } from "./page";

export function readTabs(page: Page, keyOf: (workflow: LiveWorkflow) => string): Tab[] {
  const { activeWorkflow, openWorkflows = [] } = page.app.extensionManager?.workflow ?? {};
  const open = activeWorkflow && keyOf(activeWorkflow);
  return openWorkflows.map((workflow) => {
    // What ComfyUI keeps of the one on the canvas is as old as the last change that it has noted.
    const { nodes } = keyOf(workflow) === open ? rootGraph(page) : Object(workflow.activeState);
    return {
      key: keyOf(workflow),
      name: nameOf(workflow),
      ...(Array.isArray(nodes) && { nodes: nodes.length }),
    };
  });
}

export function nameOf({ filename, path }: LiveWorkflow): string {
  return filename ?? path;
}

/** What the page's own tabs do. */
export async function openTab(
  { app }: Page,
  keyOf: (workflow: LiveWorkflow) => string,
  key: string,
): Promise<void> {
  const { activeWorkflow, openWorkflows = [] } = app.extensionManager?.workflow ?? {};
  const workflow = openWorkflows.find((each) => keyOf(each) === key);
  if (!workflow || (activeWorkflow && keyOf(activeWorkflow) === key)) return;
  if (!workflow.isLoaded) await workflow.load?.();
  await app.loadGraphData(JSON.parse(JSON.stringify(workflow.activeState)), true, true, workflow, {
    checkForRerouteMigration: false,
  });
}
