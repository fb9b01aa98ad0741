import type { Comfy } from "../../comfy/bridge";

/** What is kept of each workflow as long as the page is open: begun by `make`, told of the workflow that is open. */
export function perWorkflow<Kept>(make: () => Kept): (comfy: Comfy) => Kept {
  const pages = new WeakMap<Comfy["whole"], Map<string, Kept>>();
  return (comfy) => {
    const workflows = pages.get(comfy.whole) ?? new Map<string, Kept>();
    pages.set(comfy.whole, workflows);
    const { key } = comfy.workflow();
    const kept = workflows.get(key) ?? make();
    workflows.set(key, kept);
    return kept;
  };
}
