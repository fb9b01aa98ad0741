import type { Comfy } from "../comfy/bridge";
import { createStore, type Store } from "../shared/store";
import type { Ask } from "../tools/missing/ask";
import { type HelpLine, helpLine } from "../tools/missing/HelpLine";
import { neededPart } from "../tools/missing/neededPart";

/** In milliseconds: ComfyUI does not tell when another workflow comes to the front. */
const betweenLooks = 1000;

/** Help with what the open workflow lacks, or has too large for this device; each is looked at once it has been open for a moment, on this machine alone. */
export function watchLacks(
  comfy: Comfy,
  ask: Ask,
  storage: Pick<Storage, "getItem" | "setItem">,
): Store<HelpLine | undefined> {
  const offer = createStore<HelpLine | undefined>(undefined);
  const close = () => offer.set(undefined);
  let open = "";
  let seen = "";
  /** For what is lacking still. */
  function closeAndLookAgain(): void {
    close();
    seen = "";
  }
  async function look(): Promise<void> {
    const { key } = comfy.workflow();
    if (key !== open) {
      open = key;
      close();
    } else if (key !== seen) {
      seen = key;
      const { workflow } = comfy.whole.read();
      const reply = await ask("POST", "/assistant/missing", { workflow: neededPart(workflow) });
      const { models, packages, tooLarge } = Object(reply.ok && reply.value);
      if (!models?.length && !packages?.length && !tooLarge?.length) return;
      const line = await helpLine(ask, comfy, storage, closeAndLookAgain);
      if (open === key) offer.set(() => line);
    }
  }
  setInterval(() => void look().catch(() => {}), betweenLooks);
  return offer;
}
