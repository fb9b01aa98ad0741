import type { Comfy } from "../comfy/bridge";
import { createStore, type Store } from "../shared/store";

/** In milliseconds: ComfyUI does not tell when another workflow comes to the front. */
const betweenLooks = 1000;

/** The file of the open workflow; undefined where it was never saved. Tells where the same workflow has got another one. */
export function watchOpenFile(
  comfy: Pick<Comfy, "workflow">,
  onOther: (from: string, to: string) => void,
): Store<string | undefined> {
  const file = createStore<string | undefined>(undefined);
  const known = new Map<string, string>();
  const look = () => {
    const { key, file: now } = comfy.workflow();
    const before = known.get(key);
    if (now !== undefined) known.set(key, now);
    if (before !== undefined && now !== undefined && before !== now) onOther(before, now);
    file.set(now);
  };
  look();
  setInterval(look, betweenLooks);
  return file;
}
