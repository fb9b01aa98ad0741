import { packageFolder } from "./packages.ts";

interface Modules {
  getModuleInfo(id: string): { importers: readonly string[]; dynamicImporters: readonly string[] } | null;
}

const ENTRY = "/src/main.tsx";
/** What each page of ComfyUI loads with a workflow, also where nobody opens the panel. */
const WITHOUT_PANEL = "/src/app/toastLacks.ts";
/** Modules that the build itself adds. */
const OF_THE_BUILD = "\0";

/**
 * The chunk of a module, undefined for what stays with the entry. Libraries lie apart from our code, so that a change of ours does not
 * rewrite them in the repository and in browsers' caches.
 */
export function chunkName(id: string, modules: Modules): string | undefined {
  if (packageFolder(id) !== undefined) return "vendor";
  if (id.startsWith(OF_THE_BUILD) || id.endsWith(ENTRY)) return undefined;
  return isImportedBy(WITHOUT_PANEL, id, modules) ? "missing" : "panel";
}

/** Whether a module is `user`, or one that `user` imports, directly or not. */
function isImportedBy(user: string, id: string, modules: Modules): boolean {
  const leading = new Set([id]);
  for (const each of leading)
    for (const importer of modules.getModuleInfo(each)?.importers ?? []) leading.add(importer);
  return [...leading].some((each) => each.endsWith(user));
}
