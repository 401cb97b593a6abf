import { defineConfig } from "vitest/config";

// How long a request takes says more of the machine than of the client.
export default defineConfig({ test: { testTimeout: 120_000, include: ["tests/**/*.test.ts"] } });
