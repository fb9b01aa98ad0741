/** What a run takes less memory with, where a model file has no room in it: fewer pictures at once, else fewer pixels. */

import type { Comfy } from "../../comfy/bridge";
import type { PromptNodes } from "../../graph/prompt";
import { decidingInput, installedIn, path } from "../validation/canvas";
import type { Setting } from "./chooseInstead";

export interface SmallerRun {
  /** As `5 EmptyLatentImage`. */
  node: string;
  /** What it is now, as `1024 × 1024, 4 at once`. */
  now: string;
  /** As `1 at once`. */
  smaller: string;
  settings: Setting[];
}

/** Latent sizes are multiples of it for all models. */
const step = 64;
/** Smaller pictures than so many pixels are of no use with any model. */
const leastPixels = 512 * 512;

/** For each node that begins a latent in a size that stands in it. */
export function smallerRuns(comfy: Comfy, nodes: PromptNodes): SmallerRun[] {
  const installed = installedIn(comfy);
  return Object.entries(nodes).flatMap(([id, { class_type, inputs }]) => {
    const { width, height, batch_size: batch = 1 } = inputs;
    const { inputs: slots = [], outputs = [] } = installed.definitionOf(class_type) ?? {};
    const isLatent = ({ type }: { type: string }) => type === "LATENT";
    const begins = outputs.some(isLatent) && !slots.some(isLatent);
    if (!begins || typeof width !== "number" || typeof height !== "number" || typeof batch !== "number")
      return [];
    const less = batch > 1 ? { batch_size: 1 } : halfThePixels(width, height);
    if (!less) return [];
    const settings = Object.entries(less).flatMap(([name, value]): Setting[] => {
      const input = decidingInput(installed, id, name);
      return input ? [{ node: path(input.place, input.node.id), widget: input.name, value }] : [];
    });
    if (settings.length < Object.keys(less).length) return [];
    return [
      {
        node: `${id} ${class_type}`,
        now: `${width} × ${height}${batch > 1 ? `, ${batch} at once` : ""}`,
        smaller: "batch_size" in less ? "1 at once" : `${less.width} × ${less.height}`,
        settings,
      },
    ];
  });
}

/** In the same proportions, as near as the steps allow. Undefined where that is too small. */
function halfThePixels(width: number, height: number): { width: number; height: number } | undefined {
  const [small = 0, large = 0] = [width, height].map(
    (each) => Math.floor((each * Math.SQRT1_2) / step) * step,
  );
  return small * large >= leastPixels ? { width: small, height: large } : undefined;
}

export function smallerRunWords(runs: readonly SmallerRun[]): string[] {
  if (runs.length === 0) return [];
  const each = runs.map(({ node, now, smaller }) => `${node}: ${smaller} instead of ${now}`);
  return [
    `What a run takes beside its files grows with pixels and pictures at once; less of it: ${each.join("; ")}.`,
  ];
}
