/** What others are asked before there is anything to decide on; once for each file and name while the page is open. */

import { amountOf } from "../../shared/amounts";
import type { ToolContext } from "../tool";
import { type Ask, type ModelSource, plain, type Report } from "./ask";
import type { MissingPackage } from "./lines";

export interface LookUp {
  files: readonly ModelSource[];
  /** Ids of packages and names of node types, which the registry is sent. */
  ids: readonly string[];
  types: readonly string[];
  packages: number;
}

/** What the person lets a server ask others. */
const agreements = new WeakMap<Ask, Set<string>>();

export function lookUpOf({ models, tooLarge }: Report, packages: readonly MissingPackage[]): LookUp {
  const open = packages.filter(({ isCore, isInstalled, id }) => !isCore && !isInstalled && !id.includes("/"));
  return {
    files: [...models, ...[...models, ...tooLarge].flatMap(absentVariants)].filter(canBeFetched),
    ids: open.flatMap(({ id }) => (id === "" ? [] : [id])),
    types: open.flatMap(({ id, types }) => (id === "" ? types.filter(mayBeAsked) : [])),
    packages: open.length,
  };
}

export function absentVariants({ variants }: Pick<Report["models"][number], "variants">) {
  return variants.filter((each) => !each.isInstalled && canBeFetched(each));
}

/** A file of one place, for one folder. */
export const offeredAs = ({ folder, url }: Pick<ModelSource, "folder" | "url">) => `${folder} ${url}`;

/** The server asks for no longer name. */
const longestAsked = 200;
const mayBeAsked = (type: string) => type.length <= longestAsked;

const canBeFetched = ({ url, folder }: ModelSource) => folder !== "" && URL.canParse(url);

export function agreeTo(ask: Ask, lookUp: LookUp): void {
  agreements.set(ask, new Set([...(agreements.get(ask) ?? []), ...subjects(lookUp)]));
}

export const subjects = ({ files, ids, types }: LookUp) => [...files.map(offeredAs), ...ids, ...types];

export async function mayLookUp(ask: Ask, lookUp: LookUp, context: ToolContext): Promise<boolean> {
  const { files, packages } = lookUp;
  if (subjects(lookUp).every((each) => agreements.get(ask)?.has(each))) return true;
  const isAllowed = await context.confirm({
    title: `Look up ${[
      ...(files.length > 0 ? [amountOf(files.length, "model file")] : []),
      ...(packages > 0 ? [amountOf(packages, "node package")] : []),
    ].join(" and ")} for this workflow?`,
    detail: lookUpWords(lookUp),
    always: true,
    allow: "Look up",
  });
  if (isAllowed) agreeTo(ask, lookUp);
  return isAllowed;
}

/** Who is asked for what, a line each. */
export function lookUpWords({ files, ids, types }: LookUp): string {
  const hosts = Map.groupBy(files, ({ url }) => new URL(url).host);
  const names = [...ids, ...types];
  return [
    ...[...hosts].map(
      ([host, wanted]) =>
        `${host} is asked for the size and licence of ${[...new Set(wanted.map(({ file }) => plain(file)))].join(", ")}.`,
    ),
    ...(names.length > 0
      ? [
          `The public registry is asked who publishes these; only their names are sent: ${names.map(plain).join(", ")}.`,
        ]
      : []),
  ].join("\n");
}
