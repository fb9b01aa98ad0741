/** What is missing as lines of a card, each with what can be done about it, the likeliest first. */

import { type ModelSource, plain, type Registered, type Report, sizeWords } from "./ask";

export type Act =
  | { kind: "fetch"; source: ModelSource; for: string }
  | { kind: "replace"; value: string; for: string }
  | { kind: "install"; package: Registered }
  | { kind: "skip" };

export interface Line {
  title: string;
  note: string;
  options: readonly { label: string; act: Act }[];
}

type MissingModel = Report["models"][number];

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

export function modelLine(model: MissingModel): Line {
  const { name, file, folder, url, instead, variants, nodes } = model;
  const fetchable = [{ ...model, isInstalled: false }, ...variants].filter(
    (source) => source.url && source.folder && !source.isInstalled,
  );
  const fetches = fetchable.map(({ file: fetched, folder: into, url: from, sha256 }) => ({
    label: fetched === file ? "Fetch it" : `Fetch ${fetched} instead`,
    act: { kind: "fetch", source: { file: fetched, folder: into, url: from, sha256 }, for: name } as const,
  }));
  const replacements = instead.map((value) => ({
    label: `Use ${value}`,
    act: { kind: "replace", value, for: name } as const,
  }));
  const from = url && URL.canParse(url) ? ` from ${new URL(url).host}` : "; the workflow names no source";
  return {
    title: plain(file),
    note: `${folder || "model"}${from}${nodes.length > 0 ? `, for ${nodes.join(", ")}` : ""}`,
    options: [...fetches, ...replacements, skip],
  };
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
    ...(updated ? [`updated ${plain(updated)}`] : []),
    plain(repository),
  ].filter(Boolean);
  const title = `${plain(name)} ${plain(version)}`;
  if (!canInstall)
    return line(title, `${known.join(", ")}; `, "Install it by hand: ComfyUI-Manager is not here");
  return {
    title,
    note: `${known.join(", ")}; ${brings}`,
    options: [{ label: "Install it", act: { kind: "install", package: registered } }, skip],
  };
}

/** Sentences on what is larger than the device's memory. */
export function memoryNotes({ tooLarge, memory }: Report): string[] {
  return tooLarge.map(({ file, size, variants }) => {
    const smaller = variants.map((one) => `${one.file}${one.isInstalled ? " (installed)" : ""}`);
    const advice =
      smaller.length > 0
        ? `smaller variants: ${smaller.join(", ")}`
        : "a smaller resolution or another model may help";
    return `${file} has ${sizeWords(size)}, the device ${sizeWords(memory)}: slow or impossible; ${advice}.`;
  });
}
