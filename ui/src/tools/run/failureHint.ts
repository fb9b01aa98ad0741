/** What to do about an exception of a node, by what libraries say in it. */

import { isOutOfMemory } from "./outOfMemory";

/** Messages of safetensors, PyTorch's archive reader, pickle and Pillow. */
const damaged =
  /header too (?:small|large)|invalid header|incomplete metadata|MetadataIncompleteBuffer|failed (?:reading zip archive|finding central directory)|invalid load key|cannot identify image file|file is truncated/i;

/** Messages of PyTorch's matrix products, convolutions and state dicts. */
const ofAnotherFamily =
  /shapes cannot be multiplied|size mismatch for|Error\(s\) in loading state_dict|to have \d+ channels, but got/i;

const again = "then run again; the nodes before it are cached.";

export function failureHint(said: string): string {
  if (isOutOfMemory(said))
    return `The graphics memory was too small for this node: use a smaller size, batch or number of frames, a tiled node or a smaller model, ${again}`;
  if (damaged.test(said))
    return `The file that this node loads is damaged, not fetched whole or of another format: choose another one or ask the user to fetch it anew, ${again}`;
  if (ofAnotherFamily.test(said))
    return `Models of different families mostly fail so: checkpoint, text encoder, VAE, LoRA, ControlNet and the kind of latent have to be of the same one (SD 1.5, SDXL, Flux …). Choose ones that fit, ${again}`;
  return `Change what this node gets, ${again}`;
}
