/** Put into ComfyUI's page by a browser test, it lets the live bridge show the behaviours that the fake is tested for. */

import { failingBehaviours } from "../src/comfy/behaviours";
import { createLiveComfy } from "../src/comfy/live";

declare global {
  interface Window {
    failingBehaviours?: () => Promise<string[]>;
  }
}

window.failingBehaviours = () => failingBehaviours(createLiveComfy());
