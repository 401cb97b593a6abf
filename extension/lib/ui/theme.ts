/** Apply the theme of the system and the text direction of the language. */

import { browser } from "wxt/browser";

export function applyTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  };
  dark.addEventListener("change", apply);
  apply();
  document.documentElement.lang = browser.i18n.getUILanguage();
  document.documentElement.dir = browser.i18n.getMessage("@@bidi_dir") || "ltr";
}
