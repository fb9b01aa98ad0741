import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkName } from "./build/chunkName.ts";
import { plainDynamicImport } from "./build/plainDynamicImport.ts";
import { thirdPartyLicenses } from "./build/thirdPartyLicenses.ts";

/** Functions of libraries that only make a value: what nobody uses of it need not be in the bundle. */
const MAKERS = [
  "z",
  "createIdGenerator",
  "createDownload",
  "lazySchema",
  "memo",
  "forwardRef",
  "createContext",
];

/** From where the entry is served, `/extensions/<folder>/`, told by a way that is right behind a proxy's path too. */
const COMFYUIS = ["/scripts/app.js", "/scripts/api.js"];

/**
 * ComfyUI imports every `.js` below WEB_DIRECTORY when its page starts, so the entry is the only one; the panel
 * lies in `chunks/`, is named `.mjs`, and loads when it is opened for the first time.
 */
export default defineConfig({
  plugins: [plainDynamicImport, thirdPartyLicenses, react()],
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
      external: COMFYUIS,
      preserveEntrySignatures: false,
      treeshake: { propertyReadSideEffects: false, manualPureFunctions: MAKERS },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].mjs",
        assetFileNames: "chunks/[name]-[hash][extname]",
        paths: Object.fromEntries(COMFYUIS.map((path) => [path, `../..${path}`])),
        codeSplitting: {
          groups: [
            { name: (id, modules) => chunkName(id, modules) ?? null, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
