/** Types that WXT would generate; the names of messages are checked against the English texts. */

import "wxt/browser";

declare module "wxt/browser" {
  interface WxtRuntime {
    getURL(path: string): string;
  }
  interface WxtI18n {
    getMessage(name: string, values?: string[]): string;
  }
}
