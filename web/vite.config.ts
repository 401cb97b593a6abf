import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react(), tailwindcss()],
  // The client's sources, so that it needs no build of its own first.
  resolve: { alias: { "remem-client": at("../clients/typescript/src/index.ts") } },
  build: {
    outDir: at("../src/remem/web/dist"),
    emptyOutDir: true,
    // The policy of the pages allows no data: URL but of images, and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // `npm run dev` beside `remem serve`; REMEM_URL when that is elsewhere.
  server: {
    proxy: Object.fromEntries(
      ["/v3", "/v1", "/api", "/health", "/docs", "/openapi.json"].map((path) => [
        path,
        process.env.REMEM_URL ?? "http://127.0.0.1:8000",
      ]),
    ),
  },
});
