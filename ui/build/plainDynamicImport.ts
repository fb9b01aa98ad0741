import type { Plugin } from "vite";

/** `load(async () => { const { a } = await import(…); return { a }; }, …)`, or the same without the names. */
const WRAPPED =
  /__vitePreload\((?:async )?\(\) => (?:\{\s*const \{[^}]*\} = await )?(import\([^)]*\)(?:\.then\(\(\w+\) => \w+\.\w+\))?)(?:;\s*return \{[^}]*\};\s*\})?, __VITE_PRELOAD__, import\.meta\.url\)/g;

/**
 * Vite wraps each dynamic import in a loader for stylesheets and preloads, which would be most of the entry. The panel
 * brings its styles along, so plain `import()` will do.
 */
export const plainDynamicImport: Plugin = {
  name: "plain-dynamic-import",
  enforce: "pre",
  load: (id) =>
    id.endsWith("vite/preload-helper.js") ? "export const __vitePreload = (load) => load();" : null,
  renderChunk: (code) => ({ code: code.replace(WRAPPED, "$1"), map: null }),
};
