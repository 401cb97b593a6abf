import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: { "@": at("./"), "remem-client": at("../clients/typescript/src/index.ts") },
  },
  test: { environment: "happy-dom", include: ["tests/**/*.test.ts"] },
});
