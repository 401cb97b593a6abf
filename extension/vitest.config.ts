import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: { "@": at("./"), "remem-client": at("../clients/typescript/src/index.ts") },
  },
  // Nothing of a file outlives it: one environment serves all, half the work.
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"], isolate: false },
});
