/** What WXT would generate for its own functions; ours are checked by the keys of the English words. */

import "wxt/browser";

declare module "wxt/browser" {
  interface WxtRuntime {
    getURL(path: string): string;
  }
  interface WxtI18n {
    getMessage(name: string, values?: string[]): string;
  }
}
