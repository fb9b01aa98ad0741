/** What to do about an exception of a node, by what libraries say in it. */

import { few } from "../../shared/few";
import { isOutOfMemory } from "./outOfMemory";

/** Messages of safetensors, PyTorch's archive reader, pickle and Pillow. */
const damaged =
  /deserializing header|header too (?:small|large)|safetensors file is corrupt|invalid header|incomplete metadata|MetadataIncompleteBuffer|failed (?:reading zip archive|finding central directory)|invalid load key|ran out of input|cannot identify image file|file is truncated/i;

/** What ComfyUI and spandrel raise where a file holds something else than was looked for. */
const ofAnotherKind =
  /could not detect model type|UnsupportedModelError|does not contain a valid (?:\w+ )?model/i;

/** ComfyUI's messages where a checkpoint lacks a part. */
const lacksPart = /(clip input|VAE) is invalid: None/i;

/** Messages of PyTorch's matrix products, convolutions and state dicts. */
const ofAnotherFamily =
  /shapes cannot be multiplied|size mismatch for|Error\(s\) in loading state_dict|to have \d+ channels, but got/i;

const mostFiles = 4;
const again = "then run again; the nodes before it are cached.";

/** `files` are those that the node was to load. */
export function failureHint(said: string, files: readonly string[] = []): string {
  const named = files.length > 0 ? `, ${few(files, mostFiles, " or ")},` : "";
  if (isOutOfMemory(said))
    return `The graphics memory was too small for this node: use a smaller size, batch or number of frames, a tiled node or a smaller model, ${again}`;
  if (damaged.test(said))
    return `The file that this node loads${named} is damaged, not fetched whole or of another format: choose another one or ask the user to fetch it anew, ${again}`;
  if (ofAnotherKind.test(said))
    return `The file${named} is no model of the kind that this node loads, or of one that this ComfyUI does not know: choose another one, or load it with the node for its kind, ${again}`;
  const lacked = lacksPart.exec(said)?.[1];
  if (lacked !== undefined)
    return `The file that was loaded${named} has no ${lacked === "VAE" ? "VAE" : "text encoder"} in it: choose another file, or link that of a ${lacked === "VAE" ? "VAELoader" : "CLIPLoader or DualCLIPLoader"}, ${again}`;
  if (ofAnotherFamily.test(said))
    return `Models of different families mostly fail so: checkpoint, text encoder, VAE, LoRA, ControlNet and the kind of latent have to be of the same one (SD 1.5, SDXL, Flux …). Choose ones that fit, ${again}`;
  return files.length > 0
    ? `This node was to load ${few(files, mostFiles)}: change that or what else it gets, ${again}`
    : `Change what this node gets, ${again}`;
}
