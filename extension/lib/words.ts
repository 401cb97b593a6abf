/** The texts of the extension in the user's language, from `_locales`. */

import { browser } from "wxt/browser";
import type english from "../public/_locales/en/messages.json";

export type Word = keyof typeof english;

export function t(word: Word, ...values: (string | number)[]): string {
  return browser.i18n.getMessage(word, values.map(String));
}
