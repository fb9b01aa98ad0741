/** The open workflows, of which one is on the canvas. */

import type { Tab } from "../bridge";
import type { LiveWorkflow, Page } from "./page";

export function readTabs({ app }: Page, keyOf: (workflow: LiveWorkflow) => string): Tab[] {
  return (app.extensionManager?.workflow?.openWorkflows ?? []).map((workflow) => {
    const { nodes } = Object(workflow.activeState);
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
