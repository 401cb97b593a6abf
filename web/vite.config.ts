import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const server = process.env.REMEM_URL ?? "http://127.0.0.1:8080";
const proxied = ["/v1", "/v3", "/api", "/health", "/oauth", "/open", "/web"];
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** sonner writes a <style> element when it loads, which our CSP forbids; its styles are imported instead. */
function withoutStyleElement(): Plugin {
  return {
    name: "sonner-without-style-element",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/sonner/dist/")) return;
      return code.replace(/^__insertCSS\(.*\);?$/m, "");
    },
  };
}

/** Whether a module may be in the file that every page loads; home needs neither lists nor editors. */
function isEarly(id: string): boolean {
  return !/virtual|node_modules\/diff\/|document-list|memory-editor|canvas-scene|diff-view/.test(
    id,
  );
}

export default defineConfig({
  // The server makes the addresses of index.html absolute.
  base: "./",
  plugins: [withoutStyleElement(), react(), tailwindcss()],
  resolve: {
    alias: {
      "remem-client": at("../clients/typescript/src/index.ts"),
      "~": at("./src"),
    },
  },
  build: {
    outDir: at("../src/remem/web/dist"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Small modules that several pages use are one file: each was one of its own.
          groups: [{ name: "shared", test: isEarly, minShareCount: 2, maxModuleSize: 30_000 }],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(proxied.map((path) => [path, server])) },
  preview: { proxy: Object.fromEntries(proxied.map((path) => [path, server])) },
});
