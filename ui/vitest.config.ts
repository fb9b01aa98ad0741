import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

export default defineConfig({
  plugins: [react()],
  test: {
    include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts", "build/**/*.test.ts"],
    environment: "node",
    // A worker for each file takes four times as long; no module of ours keeps anything between two uses.
    isolate: false,
    // What grows too fast is told by its growth: a busy machine alone fails nothing.
    testTimeout: 30_000,
  },
});
