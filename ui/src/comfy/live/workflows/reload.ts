/** The page, loaded anew: what the person has not saved is not lost by it. */

import type { Page } from "../page";

/** In milliseconds: a page that is let go is gone by then, whatever else the machine does. */
const longestGoing = 20_000;

/** Comes back where the person, asked by the browser, keeps the page. */
export async function reload(page: Page): Promise<void> {
  const askAgain = bringsAllBack(page) ? askNothing(BeforeUnloadEvent.prototype) : undefined;
  location.reload();
  await new Promise((resolve) => setTimeout(resolve, longestGoing));
  askAgain?.();
}

/** Whoever hears that the page goes still does what it does then, but for having the person asked. Gives what ends it. */
function askNothing(leaving: BeforeUnloadEvent): () => void {
  const own = Object.getOwnPropertyDescriptors(leaving);
  Object.defineProperties(leaving, {
    preventDefault: { value() {}, configurable: true },
    returnValue: { get: () => "", set() {}, configurable: true },
  });
  return () => {
    for (const name of ["preventDefault", "returnValue"] as const) Reflect.deleteProperty(leaving, name);
    Object.defineProperties(leaving, own);
  };
}

/** The page keeps a draft of the open workflow, newer frontends of each. */
function bringsAllBack({ app: { extensionManager } }: Page): boolean {
  if (extensionManager?.setting?.get("Comfy.Workflow.Persist") !== true) return false;
  const { activeWorkflow, openWorkflows = [] } = extensionManager.workflow ?? {};
  const isOpenAlone = openWorkflows.every((each) => each === activeWorkflow || !each.isModified);
  return isOpenAlone || Object.keys(localStorage).some((key) => key.startsWith("Comfy.Workflow.Draft"));
}
