/** What the open workflow lacks, as far as this machine knows it, and what would have to be looked up elsewhere. */

import type { Comfy } from "../../comfy/bridge";
import { amountOf } from "../../shared/amounts";
import { few } from "../../shared/few";
import { type Ask, askFor, plain, type Report, report, sizeWords } from "./ask";
import { lackWords } from "./lackWords";
import type { MissingPackage } from "./lines";
import { type LookUp, lookUpOf } from "./lookUp";
import { findManager, type Manager } from "./manager";
import { neededPart } from "./neededPart";
import { namedPackages } from "./packages";
import { type SmallerRun, smallerRunWords } from "./smallerRuns";

export interface Need {
  found: Report;
  manager: Manager | undefined;
  packages: readonly MissingPackage[];
  lookUp: LookUp;
}

export async function needOf(ask: Ask, comfy: Comfy): Promise<Need> {
  const found = await lackOf(ask, comfy);
  const manager = found.packages.length > 0 ? await findManager(ask) : undefined;
  const packages = await namedPackages(manager, found.packages);
  return { found, manager, packages, lookUp: lookUpOf(found, packages) };
}

/** `This workflow lacks 2 models.`, and of what is here but larger than the device's memory. */
export function sayings(need: Pick<Need, "packages" | "found">): string[] {
  const lacks = lackWords(need);
  const { tooLarge, memory } = need.found;
  const largest = tooLarge.toSorted((one, other) => other.size - one.size)[0];
  const others = tooLarge.length > 1 ? ` and ${amountOf(tooLarge.length - 1, "other file")}` : "";
  return [
    ...(lacks === "" ? [] : [`This workflow lacks ${lacks}.`]),
    ...(largest
      ? [
          `${plain(largest.file)} (${sizeWords(largest.size)})${others} ${others ? "are" : "is"} larger than this device's memory of ${sizeWords(memory)}: a run is slow or fails.`,
        ]
      : []),
  ];
}

/** Of models as the workflow names them, and of node types. */
export function namesOf({ packages, found: { models, replaced } }: Need): string[] {
  return [
    ...models.map(({ name }) => name),
    ...packages.flatMap(({ types }) => types),
    ...replaced.map(({ type }) => type),
  ];
}

/** Types that only the page knows are not missing. */
export async function lackOf(ask: Ask, comfy: Comfy): Promise<Report> {
  const { workflow } = comfy.whole.read();
  const needed = neededPart(workflow);
  const found = await askFor(report, ask("POST", "/assistant/missing", { workflow: needed }));
  const packages = found.packages.flatMap((each) => {
    const types = each.types.filter((type) => !comfy.whole.shape(type));
    return types.length > 0 ? [{ ...each, types }] : [];
  });
  const replaced = found.replaced.filter(({ type }) => !comfy.whole.shape(type));
  return { ...found, packages, replaced };
}

/** Sentences on packages that are older than the workflow was made with. */
export function outdatedNotes({ outdated = [] }: Report): string[] {
  return outdated.map(
    (each) =>
      `${plain(each.id)} ${each.installed} is installed, and the workflow was made with ${each.named}: where its nodes do not do as meant, the user updates it in ComfyUI-Manager.`,
  );
}

const mostSizes = 8;

/** How large the models are of which a run takes part, and the device's memory; undefined where no size is known. */
export function sizesNote({ installed, memory }: Report): string | undefined {
  if (installed.length === 0) return undefined;
  const files = installed.map(({ file, size }) => `${plain(file)} ${sizeWords(size)}`);
  const sum = sizeWords(installed.reduce((total, { size }) => total + size, 0));
  const all = installed.length > 1 ? ` (${sum} together; they need not all be loaded at once)` : "";
  const device = memory === null ? "" : `; this device has ${sizeWords(memory)}`;
  return `Model files: ${few(files, mostSizes)}${all}${device}.`;
}

/** Sentences on what is larger than the device's memory, and what a run takes less of it with. */
export function memoryNotes({ tooLarge, memory }: Report, runs: readonly SmallerRun[]): string[] {
  if (tooLarge.length === 0) return [];
  const notes = tooLarge.map(({ file, size, variants }) => {
    const smaller = variants.map(
      (one) => `${one.file} (${one.isInstalled ? "installed" : `${one.url}, into ${one.folder}`})`,
    );
    const advice = smaller.length > 0 ? `smaller variants: ${smaller.join(", ")}` : "another model may help";
    return `${file} has ${sizeWords(size)}, the device ${sizeWords(memory)}: slow or impossible; ${advice}.`;
  });
  return [...notes, ...smallerRunWords(runs)];
}
