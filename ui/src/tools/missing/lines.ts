/** What is missing as lines of a card, each with what can be done about it, the likeliest first. */

import { type ModelSource, type Offer, plain, type Registered, type Report, sizeWords } from "./ask";
import { offerWords } from "./fetchModels";
import { absentVariants, offeredAs } from "./lookUp";

export type Act =
  | { kind: "fetch"; offer: Offer; for: string }
  | { kind: "replace"; value: string; for: string }
  | { kind: "install"; package: Registered }
  | { kind: "skip" };

export interface Line {
  title: string;
  note: string;
  options: readonly Option[];
}

export interface Option {
  label: string;
  act: Act;
  /** All that a yes is to. */
  facts?: string;
}

/** What the host says of each file: an offer, or why there is none. */
export type Offered = Map<string, Offer | { refused: string }>;

/** A missing package, and what the registry says of it. */
export interface MissingPackage {
  id: string;
  types: readonly string[];
  isCore: boolean;
  isInstalled: boolean;
  failed: Readonly<Record<string, string>>;
  registered: Registered | undefined;
}

const skip = { label: "Leave it", act: { kind: "skip" } } as const;

/** What has room in the device's memory comes first. */
export function modelLine(model: Report["models"][number], offered: Offered, memory: number | null): Line {
  const { name, file, folder, url, instead, nodes } = model;
  const fetches = [model, ...absentVariants(model)].flatMap((source) =>
    fetchOption(source, { name, instead: source.file !== file, offered, memory }),
  );
  const own = offered.get(offeredAs(model));
  return {
    title: plain(file),
    note: [
      `${folder || "model"}${nodes.length > 0 ? `, for ${nodes.join(", ")}` : ""}`,
      ...(own && "refused" in own ? [plain(own.refused)] : []),
      ...(url ? [] : ["the workflow names no source"]),
    ].join("; "),
    options: [
      ...fetches.toSorted((a, b) => Number(a.isLarge) - Number(b.isLarge)),
      ...replacements(instead, name),
      skip,
    ],
  };
}

/** An installed file that the device has no memory for: kept, unless the person wants a smaller one. */
export function tooLargeLine(
  large: Report["tooLarge"][number],
  offered: Offered,
  memory: number | null,
): Line[] {
  const { name, file, size, variants } = large;
  const here = variants.filter(({ isInstalled }) => isInstalled).map((each) => each.file);
  const options = [
    ...replacements(here, name),
    ...absentVariants(large).flatMap((source) =>
      fetchOption(source, { name, instead: true, offered, memory }),
    ),
  ];
  if (options.length === 0) return [];
  return [
    {
      title: plain(file),
      note: `installed, ${sizeWords(size)}; the device has ${sizeWords(memory)}: slow or impossible`,
      options: [{ label: "Keep it", act: skip.act }, ...options],
    },
  ];
}

function replacements(values: readonly string[], name: string): Option[] {
  return values.map((value) => ({ label: `Use ${value}`, act: { kind: "replace", value, for: name } }));
}

function fetchOption(
  source: ModelSource,
  about: { name: string; instead: boolean; offered: Offered; memory: number | null },
): (Option & { isLarge: boolean })[] {
  const { name, instead, offered, memory } = about;
  const offer = offered.get(offeredAs(source));
  if (!offer || "refused" in offer) return [];
  return [
    {
      label: instead ? `Fetch ${source.file} instead` : "Fetch it",
      act: { kind: "fetch", offer, for: name },
      facts: offerWords(offer, memory),
      isLarge: memory !== null && offer.size !== null && offer.size > memory,
    },
  ];
}

export function packageLine(missing: MissingPackage, canInstall: boolean): Line {
  const { id, types, isCore, isInstalled, failed, registered } = missing;
  const brings = `brings ${types.map(plain).join(", ")}`;
  const line = (title: string, note: string, advice: string): Line => ({
    title,
    note: `${note}${brings}`,
    options: [{ label: advice, act: skip.act }],
  });
  const why = Object.values(failed)[0];
  if (isCore) return line("ComfyUI", "a newer version ", "Update ComfyUI");
  if (isInstalled)
    return line(id, "", why ? `Installed, but did not load: ${plain(why)}` : "Installed, but did not load");
  if (!registered)
    return line(
      id || "An unknown package",
      "",
      id ? "Install it by hand if you trust it" : "Ask the workflow's author",
    );
  const { name, version, publisher, author, downloads, updated, repository } = registered;
  const known = [
    `by ${plain(publisher || author || "an unknown publisher")}`,
    ...(downloads ? [`${downloads.toLocaleString("en")} downloads`] : []),
    ...(updated ? [`updated ${plain(updated).slice(0, 10)}`] : []),
    plain(repository) || "no repository named",
  ];
  const title = `${plain(name)} ${plain(version)}`;
  if (!canInstall)
    return line(title, `${known.join(", ")}; `, "Install it by hand: ComfyUI-Manager is not here");
  return {
    title,
    note: `${registered.id} ${known.join(", ")}; ${brings}`,
    options: [
      {
        label: "Install it",
        act: { kind: "install", package: registered },
        facts: "Through ComfyUI-Manager; its code then runs on ComfyUI's machine",
      },
      skip,
    ],
  };
}
