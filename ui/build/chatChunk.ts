interface Modules {
  getModuleInfo(id: string): { importers: readonly string[] } | null;
}

/** What the panel loads right behind its first chunks: the tools, and the bridge that they are given. */
const CHAT = ["/src/app/pageAccess.ts", "/src/comfy/live.ts"];
/** What loads before that, or without the panel. */
const EARLIER = ["/src/main.tsx", "/src/app/mountPanel.tsx", "/src/app/toastLacks.ts"];

/**
 * The chunk of our modules that a chat loads with its tools, undefined for all others. It is one: of many small ones
 * each is compressed apart, and a tool that loads a part of itself later would make more of them.
 */
export function chatChunk(id: string, modules: Modules): string | undefined {
  const leading = leadingTo(id, modules);
  const isPartOf = (end: string) => leading.some((each) => each.endsWith(end));
  return CHAT.some(isPartOf) && !EARLIER.some(isPartOf) ? "pageAccess" : undefined;
}

/** The module, and all that import it before they run, directly or not. */
function leadingTo(id: string, modules: Modules): string[] {
  const found = new Set([id]);
  for (const each of found)
    for (const importer of modules.getModuleInfo(each)?.importers ?? []) found.add(importer);
  return [...found];
}
