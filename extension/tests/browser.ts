/** The browser as the units see it: every text is its own name. */

export const browser = { i18n: { getMessage: (name: string) => name } };
