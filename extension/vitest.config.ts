import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: { "@": at("./"), "remem-client": at("../clients/typescript/src/index.ts") },
  },
  // Test files share no state, so one environment is enough, which halves the time.
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"], isolate: false },
});
