import type { Comfy } from "./bridge";

export function createLiveComfy(): Comfy {
  throw new Error("The bridge to ComfyUI's page is not written yet.");
}
