import type { Comfy } from "../../comfy/bridge";
import { type ToolContext, ToolError } from "../tool";

/** To another open workflow, on which the turn goes on. Returns the name of the one that was open, if it is another. */
export async function goToTab(
  comfy: Comfy,
  { follow }: ToolContext,
  name: string,
): Promise<string | undefined> {
  const before = comfy.workflow();
  const tabs = comfy.tabs();
  const wanted = name
    .trim()
    .toLowerCase()
    .replace(/\.json$/, "");
  const found = tabs.filter((tab) => tab.name.toLowerCase() === wanted);
  const [meant] = found;
  if (!meant || found.length > 1)
    throw new ToolError(
      meant
        ? `${found.length} open workflows are called "${name}".`
        : `No open workflow is called "${name}".`,
      `Open: ${tabs.map((tab) => JSON.stringify(tab.name)).join(", ")}.`,
    );
  await comfy.openTab(meant.key);
  follow?.(meant.key);
  return before.key === meant.key ? undefined : before.name;
}
