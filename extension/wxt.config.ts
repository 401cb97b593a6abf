import { fileURLToPath } from "node:url";
import { defineConfig } from "wxt";
import { withoutHtml } from "./without-html";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const out = process.env.REMEM_EXTENSION_OUT;

/** Fixes the id of the Chrome build, and so the redirect URL of the sign-in. */
const KEY =
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA65Mdf0RXPyaont7m/rR2ItdfWzimV855eBMbTh/4YbpwHIra0ymyVirCO8D7Lag5yGR3JcAoU0wbUwGPVIHTZZUTtDDfub7z+cuE29pPClU8gb+BLG9UXwn/h9EiBddB5p6Az/5wY5ejd1mIwdDWMbG5nKn+N+1uiiJnrpaTAkmzPm/uf0mwfXaAZBL7Krca5D4MkegaE1sVJeJiVU9uiivKcXcGR1u33o1393ROA9Y2BKo5NqURV23ixLmLpqLDd++KqXXMQZCl7z2KtL4pkehEqGaLTqglMtfknu2VH/LC/kd+ZTU0VaJ3NwvYbX9Sp1mGT9sv4FlfsJ9+2ekGZQIDAQAB";

export default defineConfig({
  modules: ["@wxt-dev/module-react"],
  imports: false,
  outDir: out ?? "dist",
  manifest: ({ browser }) => ({
    name: "__MSG_name__",
    short_name: "remem",
    description: "__MSG_description__",
    default_locale: "en",
    permissions: [
      // Read or change the tab in which the user acts.
      "activeTab",
      "scripting",
      // Settings, the queue, and its timer.
      "storage",
      "alarms",
      // "Save to Memory".
      "contextMenus",
      // Sign in with OAuth.
      "identity",
    ],
    // The server on this computer, on any port.
    host_permissions: ["http://127.0.0.1/*", "http://localhost/*"],
    // Requested one by one: a server elsewhere, and sites for which the button is enabled.
    optional_host_permissions: ["https://*/*", "http://*/*"],
    content_security_policy: {
      // Without this, Firefox upgrades http://127.0.0.1 to https.
      extension_pages:
        "default-src 'self'; script-src 'self'; object-src 'none'; connect-src http: https:; base-uri 'none'; form-action 'none'; frame-src 'none'",
    },
    commands: {
      "save-page": {
        suggested_key: { default: "Alt+Shift+S" },
        description: "__MSG_command_save__",
      },
      highlight: {
        suggested_key: { default: "Alt+Shift+H" },
        description: "__MSG_command_highlight__",
      },
      "insert-memory": {
        suggested_key: { default: "Alt+Shift+M" },
        description: "__MSG_command_insert__",
      },
    },
    ...(browser === "chrome" ? { key: KEY, minimum_chrome_version: "120" } : {}),
    ...(browser === "firefox" ? { browser_specific_settings: gecko() } : {}),
  }),
  vite: () => ({
    plugins: [withoutHtml()],
    resolve: {
      alias: { "remem-client": at("../clients/typescript/src/index.ts") },
    },
    // Builds are reproducible. The chunk is large because of defuddle.
    build: { target: "es2022", chunkSizeWarningLimit: 1_000, assetsInlineLimit: 0 },
  }),
});

function gecko() {
  return {
    gecko: {
      id: "{5bfc6235-2c56-405d-a5ca-9afa52b7c4e6}",
      strict_min_version: "140.0",
      data_collection_permissions: { required: ["websiteContent" as const] },
    },
    gecko_android: { strict_min_version: "142.0" },
  };
}
