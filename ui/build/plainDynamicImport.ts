import type { Plugin } from "vite";

/**
 * Vite wraps each dynamic import in a loader for stylesheets and preloads, which would be most of the entry. The panel
 * brings its styles along, so plain `import()` will do.
 */
export const plainDynamicImport: Plugin = {
  name: "plain-dynamic-import",
  enforce: "pre",
  load: (id) =>
    id.endsWith("vite/preload-helper.js") ? "export const __vitePreload = (load) => load();" : null,
};
