/** Node types through which something passes: two pairs of slots, one, or a second picture. */

import type { NodeDefinition } from "../../comfy/bridge";
import { fakeNodes } from "../../comfy/fakeNodes";

const slot = (name: string, type: string) => ({ name, type, isOptional: false });
const node = (
  type: string,
  inputs: NodeDefinition["inputs"],
  outputs: NodeDefinition["outputs"],
): NodeDefinition => ({
  ...{ type, title: "", category: "", description: "", isOutput: false },
  inputs,
  outputs,
});
const output = (type: string, name = type) => ({ name, type });

export const passingNodes: readonly NodeDefinition[] = [
  ...fakeNodes,
  node("LoraLoader", [slot("model", "MODEL"), slot("clip", "CLIP")], [output("MODEL"), output("CLIP")]),
  node("LoraLoaderModelOnly", [slot("model", "MODEL")], [output("MODEL")]),
  node("UNETLoader", [], [output("MODEL")]),
  node(
    "ControlNetApplyAdvanced",
    [slot("positive", "CONDITIONING"), slot("negative", "CONDITIONING"), slot("image", "IMAGE")],
    [output("CONDITIONING", "positive"), output("CONDITIONING", "negative")],
  ),
  node("LatentUpscale", [slot("samples", "LATENT")], [output("LATENT")]),
  node("ImageCompositeMasked", [slot("destination", "IMAGE"), slot("source", "IMAGE")], [output("IMAGE")]),
];
