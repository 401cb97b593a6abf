import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: {
      "@": at("./"),
      "remem-client": at("../clients/typescript/src/index.ts"),
      "wxt/browser": at("./tests/browser.ts"),
    },
  },
  // Test files share no state, so one environment is enough, which halves the time.
  test: {
    environment: "happy-dom",
    // The page of an embedded video is not loaded, which is no error.
    environmentOptions: { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: true } } },
    include: ["tests/**/*.test.ts"],
    isolate: false,
  },
});
