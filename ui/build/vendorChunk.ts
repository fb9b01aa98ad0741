import { packageFolder } from "./packages.ts";

interface Modules {
  getModuleInfo(id: string): { importers: readonly string[]; dynamicImporters: readonly string[] } | null;
}

/** Our folder whose libraries load later than all others: the formatting of answers. */
const FORMATTING = "/src/chat/markdown/";

/**
 * The chunk of a library's module, undefined for our own: libraries lie apart from our code, so that a change of ours
 * does not rewrite them in the repository and in browsers' caches.
 */
export function vendorChunk(id: string, modules: Modules): string | undefined {
  if (packageFolder(id) === undefined) return undefined;
  const users = [...ourUsers(id, modules)];
  return users.every((user) => user.includes(FORMATTING)) ? "vendor-markdown" : "vendor";
}

/** Our modules that lead to a library's module. */
function ourUsers(id: string, modules: Modules, seen = new Set<string>()): Set<string> {
  const users = new Set<string>();
  for (const importer of importersOf(id, modules)) {
    if (seen.has(importer)) continue;
    seen.add(importer);
    if (packageFolder(importer) === undefined) users.add(importer);
    else for (const user of ourUsers(importer, modules, seen)) users.add(user);
  }
  return users;
}

function importersOf(id: string, modules: Modules): readonly string[] {
  const module = modules.getModuleInfo(id);
  return module ? [...module.importers, ...module.dynamicImporters] : [];
}
