/** What is missing as lines of a card, each with what can be done about it, the likeliest first. */

import { z } from "zod";
import {
  type ModelSource,
  type Offer,
  plain,
  type Registered,
  type Report,
  shortName,
  sizeWords,
} from "./ask";
import type { Setting } from "./chooseInstead";
import { offerWords } from "./fetchModels";
import { absentVariants, offeredAs } from "./lookUp";
import type { SmallerRun } from "./smallerRuns";

export type Act =
  | { kind: "fetch"; offer: Offer; for: Held }
  | { kind: "replace"; value: string; for: Held }
  | { kind: "replaceType"; type: string }
  | { kind: "set"; settings: readonly Setting[] }
  | { kind: "install"; package: Registered }
  | { kind: "skip" };

/** A value that nodes of the workflow hold; without types those of any. */
export const held = z.object({ name: z.string(), types: z.array(z.string()) });
export type Held = z.output<typeof held>;

export interface Line {
  title: string;
  note: string;
  /** Why its source gives nothing. */
  refused?: string;
  /** The host to which there is no connection, which is why. */
  unreachable?: string;
  /** Where it is, and where it belongs, where nothing here can be done about it. */
  byHand?: ByHand;
  options: readonly Option[];
}

/** A file that the person gets: `folder` is the one of ComfyUI's, and each empty where it is not known. */
export const byHand = z.object({ file: z.string(), folder: z.string(), url: z.string() });
export type ByHand = z.output<typeof byHand>;

export interface Option {
  label: string;
  act: Act;
  /** All that a yes is to. */
  facts?: string;
}

/** What the host says of each file: an offer, or why there is none. */
export type Offered = Map<string, Offer | Refused>;

export type Refused = Required<Pick<Line, "refused">> & Pick<Line, "unreachable">;

/** A missing package, and what the registry says of it; without an id the types of one that only their names tell. */
export interface MissingPackage {
  id: string;
  types: readonly string[];
  isCore: boolean;
  isInstalled: boolean;
  failed: Readonly<Record<string, string>>;
  /** Those that may be it, the one with most downloads first. */
  registered: readonly Registered[];
  /** Why the registry says nothing of it. */
  notAsked?: string | undefined;
}

/** A package with so many times the downloads of any other is taken for the one that is meant. */
const clearlyMore = 10;

const skip = { label: "Leave it", act: { kind: "skip" } } as const;
const getByHand = { label: "Get it by hand", act: skip.act } as const;

/** Nothing that can be done about it here: its one option says what the person may do elsewhere. */
export const isWithoutChoice = ({ options }: Line) => options.every(({ act }) => act.kind === "skip");

export function adviceOf({ title, options, byHand: { url = "", folder = "" } = {} as ByHand }: Line): string {
  const [from, into] = [url && ` from ${url}`, folder && ` into ${folder}`];
  return `${title}: ${options[0]?.label ?? ""}${from}${into}`;
}

/** What has room in the device's memory comes first. */
export function modelLine(model: Report["models"][number], offered: Offered, memory: number | null): Line {
  const { name, types, file, folder, url, instead, nodes, moreNodes, isFromNote, isElsewhere } = model;
  const held = { name, types };
  const fetches = [model, ...absentVariants(model)].flatMap((source) =>
    fetchOption(source, { held, instead: source.file !== file, offered, memory }),
  );
  const own = offered.get(offeredAs(model));
  const gettable = [
    ...fetches.toSorted((a, b) => Number(a.isLarge) - Number(b.isLarge)),
    ...replacements(instead, held),
  ];
  return {
    title: shortName(file),
    note: [
      `${shortName(folder) || "folder not known"}${nodes.length > 0 ? `, for ${nodes.map(shortName).join(", ")}${moreNodes > 0 ? ` and ${moreNodes} more` : ""}` : ""}`,
      ...(isElsewhere ? ["installed under another path"] : url ? [] : ["the workflow names no source"]),
      ...(isFromNote ? ["a note in the workflow names the source"] : []),
    ].join("; "),
    ...(own && "refused" in own && { ...own, refused: plain(own.refused) }),
    ...(gettable.length === 0 && {
      byHand: { file: plain(file), folder: folder && `models/${plain(folder)}`, url: plain(url) },
    }),
    options: gettable.length > 0 ? [...gettable, skip] : [getByHand],
  };
}

/** An installed file that the device has no memory for: kept, unless the person wants a smaller one. */
export function tooLargeLine(
  large: Report["tooLarge"][number],
  offered: Offered,
  memory: number | null,
): Line[] {
  const { name, file, size, variants } = large;
  const held = { name, types: [] };
  const here = variants.filter(({ isInstalled }) => isInstalled).map((each) => each.file);
  const options = [
    ...replacements(here, held),
    ...absentVariants(large).flatMap((source) =>
      fetchOption(source, { held, instead: true, offered, memory }),
    ),
  ];
  if (options.length === 0) return [];
  return [
    {
      title: shortName(file),
      note: `installed, ${sizeWords(size)}; the device has ${sizeWords(memory)}: slow or impossible`,
      options: [{ label: "Keep it", act: skip.act }, ...options],
    },
  ];
}

/** Where a file is too large, a run in the size that stands in the workflow, unless the person wants a smaller one. */
export function smallerRunLine({ node, now, smaller, settings }: SmallerRun): Line {
  return {
    title: shortName(node),
    note: `${now}; what a run takes beside its files grows with that`,
    options: [
      { label: "Keep it", act: skip.act },
      { label: `Set ${smaller}`, act: { kind: "set", settings } },
    ],
  };
}

function replacements(values: readonly string[], held: Held): Option[] {
  return values.map((value) => ({ label: `Use ${value}`, act: { kind: "replace", value, for: held } }));
}

function fetchOption(
  source: ModelSource,
  about: { held: Held; instead: boolean; offered: Offered; memory: number | null },
): (Option & { isLarge: boolean })[] {
  const { held, instead, offered, memory } = about;
  const offer = offered.get(offeredAs(source));
  if (!offer || "refused" in offer) return [];
  return [
    {
      label: instead ? `Fetch ${source.file} instead` : "Fetch it",
      act: { kind: "fetch", offer, for: held },
      facts: offerWords(offer, memory),
      isLarge: memory !== null && offer.size !== null && offer.size > memory,
    },
  ];
}

export function replacedLine({ type, by }: Report["replaced"][number]): Line {
  return {
    title: shortName(type),
    note: `ComfyUI has ${shortName(by)} in its place`,
    options: [{ label: `Replace it with ${shortName(by)}`, act: { kind: "replaceType", type } }, skip],
  };
}

type Outdated = NonNullable<Report["outdated"]>;

/** What the person does in ComfyUI-Manager, which asks and tells there what an update is. */
export function outdatedLine({ id, installed, named }: Outdated[number]): Line {
  return {
    title: plain(id),
    note: `installed in ${installed}, the workflow was made with ${named}`,
    options: [{ label: "Update it in ComfyUI-Manager", act: skip.act }],
  };
}

export function packageLine(missing: MissingPackage, canInstall: boolean, outdated: Outdated = []): Line {
  const { id, types, isCore, isInstalled, failed, registered, notAsked } = missing;
  const brings = `${id === "" && types.length > 1 ? "bring" : "brings"} ${types.map(shortName).join(", ")}`;
  const line = (title: string, note: string, advice: string): Line => ({
    title,
    note: `${note}${brings}`,
    options: [{ label: advice, act: skip.act }],
  });
  const why = Object.values(failed)[0];
  if (isCore) return line("ComfyUI", "a newer version ", "Update ComfyUI");
  const older = outdated.find((each) => each.id === id.toLowerCase());
  if (isInstalled && older) return { ...outdatedLine(older), note: `${outdatedLine(older).note}; ${brings}` };
  if (isInstalled)
    return line(id, "", why ? `Installed, but did not load: ${plain(why)}` : "Installed, but did not load");
  const [best, ...others] = registered;
  const unknown = id || (types.length > 1 ? "Unknown packages" : "An unknown package");
  if (!best && notAsked)
    return {
      ...line(unknown, "", "Look again later"),
      refused: `The registry does not tell: ${plain(notAsked)}`,
    };
  if (!best)
    return line(unknown, "", id ? "Install it by hand if you trust it" : "Ask the workflow's author");
  const withoutManager = "Install it by hand: ComfyUI-Manager is not here";
  if (others.length === 0 && !canInstall) return line(titleOf(best), `${factsOf(best)}; `, withoutManager);
  if (others.length === 0)
    return {
      title: titleOf(best),
      note: `${best.id} ${factsOf(best)}; ${brings}`,
      options: [
        {
          label: "Install it",
          act: { kind: "install", package: best },
          facts: "Through ComfyUI-Manager; its code then runs on ComfyUI's machine",
        },
        skip,
      ],
    };
  const note = `${registered.length} packages have ${types.length > 1 ? "types" : "a type"} of this name: ${registered.map((each) => `${titleOf(each)} ${factsOf(each)}`).join("; ")}`;
  if (!canInstall)
    return {
      title: types.map(shortName).join(", "),
      note,
      options: [{ label: withoutManager, act: skip.act }],
    };
  const installs = registered.map<Option>((each) => ({
    label: `Install ${each.id}`,
    act: { kind: "install", package: each },
    facts: `${titleOf(each)} ${factsOf(each)}. Through ComfyUI-Manager; its code then runs on ComfyUI's machine`,
  }));
  const isPlain = best.downloads >= clearlyMore * Math.max(1, ...others.map(({ downloads }) => downloads));
  return {
    title: types.map(shortName).join(", "),
    note: `${note}${isPlain ? ". The one with by far most downloads is chosen" : ""}`,
    options: isPlain ? [...installs, skip] : [skip, ...installs],
  };
}

function titleOf({ name, version }: Registered): string {
  return `${plain(name)} ${plain(version)}`.trim();
}

function factsOf({ publisher, author, downloads, updated, repository }: Registered): string {
  return [
    `by ${plain(publisher || author || "an unknown publisher")}`,
    ...(downloads ? [`${downloads.toLocaleString("en")} downloads`] : []),
    ...(updated ? [`updated ${plain(updated).slice(0, 10)}`] : []),
    plain(repository) || "no repository named",
  ].join(", ");
}
