import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/**
 * ComfyUI imports every `.js` below WEB_DIRECTORY when its page starts, so the entry is the only one; the panel and
 * its stylesheet lie in `chunks/`, are named `.mjs`, and load when the panel is opened for the first time.
 */
export default defineConfig({
  plugins: [react()],
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
