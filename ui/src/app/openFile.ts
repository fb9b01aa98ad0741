import type { Comfy } from "../comfy/bridge";
import { createStore, type Store } from "../shared/store";

/** In milliseconds: ComfyUI does not tell when another workflow comes to the front. */
const betweenLooks = 1000;

/** The file of the open workflow; undefined where it was never saved. */
export function watchOpenFile(comfy: Pick<Comfy, "workflow">): Store<string | undefined> {
  const file = createStore<string | undefined>(undefined);
  const look = () => file.set(comfy.workflow().file);
  look();
  setInterval(look, betweenLooks);
  return file;
}
