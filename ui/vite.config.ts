import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/**
 * Vite wraps each dynamic import in a loader for stylesheets and preloads, which would be most of the entry. The panel
 * brings its styles along, so plain `import()` will do.
 */
const plainDynamicImport: Plugin = {
  name: "plain-dynamic-import",
  enforce: "pre",
  load: (id) =>
    id.endsWith("vite/preload-helper.js") ? "export const __vitePreload = (load) => load();" : null,
};

/**
 * ComfyUI imports every `.js` below WEB_DIRECTORY when its page starts, so the entry is the only one; the panel
 * lies in `chunks/`, is named `.mjs`, and loads when it is opened for the first time.
 */
export default defineConfig({
  plugins: [plainDynamicImport, react()],
  base: "./",
  publicDir: false,
  build: {
    target: "es2022",
    outDir: "../js",
    emptyOutDir: true,
    modulePreload: false,
    sourcemap: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: { assistant: "src/main.tsx" },
      external: ["/scripts/app.js", "/scripts/api.js"],
      preserveEntrySignatures: false,
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].mjs",
        assetFileNames: "chunks/[name]-[hash][extname]",
      },
    },
  },
});
