/** A restart of ComfyUI after an installation; the call is made again once the page is back, and finds what came. */

import type { Comfy } from "../../comfy/bridge";
import type { ToolContext } from "../tool";
import type { Ask } from "./ask";
import type { Manager } from "./manager";

const lookAgainAfter = 500;
const mostLooks = 600;
/** Read by the entry of the panel. */
const reopens = "comfyui-assistant.reopen";

/**
 * Comes back only where ComfyUI does not go down, or the person keeps the page or stops, with what is left to them. The
 * yes to it was part of the one to the package.
 */
export async function restartAndReload(
  { ask, comfy, context }: { ask: Ask; comfy: Comfy; context: ToolContext },
  manager: Manager,
  /** For the same call in the page that comes. */
  note: unknown,
): Promise<string> {
  context.onProgress({ text: "Restarting ComfyUI" });
  await manager.restart();
  let wasGone = false;
  for (let looks = 0; looks < mostLooks && !context.signal.aborted; looks++) {
    await new Promise((resolve) => setTimeout(resolve, lookAgainAfter));
    const isThere = (await ask("GET", "/system_stats").catch(() => undefined))?.ok === true;
    wasGone ||= !isThere;
    if (wasGone && isThere) {
      try {
        sessionStorage.setItem(reopens, "1");
      } catch {
        // It is full: the person opens the panel.
      }
      context.outlive?.(note);
      await comfy.reload();
      context.outlive?.(undefined);
      sessionStorage.removeItem(reopens);
      return "reload the page";
    }
  }
  return "restart ComfyUI and reload the page";
}
