import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
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

/** The files next to `index.html` that the app needs to start without a connection. */
const ROOT_FILES = ["theme.js", "favicon.svg", "icon-192.png", "manifest.webmanifest"];
const SHELL = "dashboard";
/** Catalogues, languages of the highlighter, fonts of other scripts and maps are kept when first used. */
const LATER = /\.map$|\.json$|ext-wght|cyrillic|greek|vietnamese/;

/** Writes `sw.js`, with the names of the files that it keeps. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const assets = Object.values(bundle)
        .filter(({ fileName }) => fileName.startsWith("assets/") && !LATER.test(fileName))
        .filter((file) => !("facadeModuleId" in file && file.facadeModuleId?.includes("@shikijs")))
        .map(({ fileName }) => fileName);
      const worker = readFileSync(at("./worker/sw.js"), "utf8");
      const fixed = ROOT_FILES.map((name) => readFileSync(at(`./public/${name}`)));
      const sum = createHash("sha256").update(worker);
      for (const part of [...assets.sort(), ...fixed]) sum.update(part);
      const files = [SHELL, ...ROOT_FILES, ...assets];
      const source = [
        `const BUILD = ${JSON.stringify(sum.digest("hex").slice(0, 16))};`,
        `const FILES = ${JSON.stringify(files)};`,
        worker,
      ].join("\n");
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}

const LATE_MODULES =
  /virtual|document-list|memory-editor|canvas-scene|diff-view|reading-view|ui\/markdown|headings|activity\/events|graph\/names|search\/(?:why|result-card|marking)|instruction-list|documents\/(?:bulk|tag-editor|document-row|evidence|export)|sparkline|heat-map|password-field/;
/** The packages that make a page of Markdown. */
const LATE_PACKAGES =
  /node_modules\/(?:diff|.*markdown|micromark|mdast|hast|unist|unified|remark|rehype|vfile|parse-entities|character-|decode-named|property-information|.*-separated-tokens|style-to|inline-style|html-url|estree|ccount|longest-streak|trim-lines|zwitch|bail|trough|devlop|is-plain-obj|extend|@ungap)/;

/** Whether a module may be in the file that every page loads; home shows no text, list or editor. */
function isEarly(id: string): boolean {
  return !LATE_MODULES.test(id) && !LATE_PACKAGES.test(id);
}

export default defineConfig({
  // The server makes the addresses of index.html absolute.
  base: "./",
  plugins: [withoutStyleElement(), react(), tailwindcss(), serviceWorker()],
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
