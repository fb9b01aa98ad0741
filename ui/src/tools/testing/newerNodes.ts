/** The fake's node types as newer versions of ComfyUI have them: what shows or saves something hands it on. */

import type { NodeDefinition } from "../../comfy/bridge";
import { fakeNodes } from "../../comfy/fakeNodes";

const handedOn: Record<string, NodeDefinition["outputs"]> = {
  SaveImage: [{ name: "images", type: "IMAGE" }],
  PreviewImage: [{ name: "images", type: "IMAGE" }],
  PreviewAny: [{ name: "STRING", type: "STRING" }],
};

export const newerNodes: readonly NodeDefinition[] = fakeNodes.map((definition) => ({
  ...definition,
  outputs: handedOn[definition.type] ?? definition.outputs,
}));
