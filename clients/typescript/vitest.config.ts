import { defineConfig } from "vitest/config";

// The duration of a request depends on the machine, so the timeout is long.
export default defineConfig({ test: { testTimeout: 120_000, include: ["tests/**/*.test.ts"] } });
